/** How many items at the start of a list in order of recording come at or before a place. */
export function countUpTo(list: readonly { readonly place: number }[], place: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.place ?? Number.POSITIVE_INFINITY) <= place) low = middle + 1
    else high = middle
  }
  return low
}

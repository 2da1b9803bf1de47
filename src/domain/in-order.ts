/** How many items at the start of a list are wanted, where none behind the first unwanted one is. */
export function countWhile<T>(list: ArrayLike<T>, isWanted: (item: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // A boundary: the index lies within the list.
    if (isWanted(list[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

/** How many items at the start of a list in order of recording come at or before a place. */
export function countUpTo(list: readonly { readonly place: number }[], place: number): number {
  return countWhile(list, (item) => item.place <= place)
}

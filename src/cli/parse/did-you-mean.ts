/** The known word that a mistyped one is closest to, if it is close at all. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = distanceBetween(word.toLowerCase(), candidate)
    if (distance >= least) continue
    least = distance
    best = candidate
  }
  return best
}

/** How many letters must be put in, left out, replaced or swapped with the next to come from one to the other. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + (same ? 0 : 1),
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = row
  }
  return at(above, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

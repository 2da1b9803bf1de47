/** The known word that a mistyped one is closest to, if it is close at all. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.ceil(word.length / 3))
  const [best] = known
    .map((candidate) => ({ candidate, distance: distanceBetween(word.toLowerCase(), candidate) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** How many letters must be put in, left out, replaced or swapped with the next to come from one to the other. */
function distanceBetween(a: string, b: string): number {
  const rows: number[][] = []
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

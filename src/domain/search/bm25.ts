/** Okapi BM25. The constants suit short texts: a second occurrence says little, length says less. */
const K1 = 0.9
const B = 0.4

/** The weight of a term: the fewer of the `count` memories hold it, the more. */
export function inverseDocumentFrequency(count: number, holding: number): number {
  return Math.log(1 + (count - holding + 0.5) / (holding + 0.5))
}

/** Does no memory hold a term, by the weights of the terms of a query? */
export function occursNowhere({
  memoryCount,
  idf,
}: {
  readonly memoryCount: number
  readonly idf: ReadonlyMap<string, number>
}): (term: string) => boolean {
  const never = inverseDocumentFrequency(memoryCount, 0)
  return (term) => (idf.get(term) ?? 0) >= never
}

/** What one term adds to the score of a memory in which it occurs `occurrences` times. */
export function termScore(idf: number, occurrences: number, length: number, averageLength: number): number {
  return normedScore(idf, occurrences, lengthNorm(length, averageLength))
}

/** The length normalisation: the longer a memory is, the less each occurrence of a term says. */
export function lengthNorm(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / Math.max(1, averageLength))
}

/** `termScore` for a memory whose `lengthNorm` is known. */
export function normedScore(idf: number, occurrences: number, norm: number): number {
  return (idf * occurrences * (K1 + 1)) / (occurrences + norm)
}

/** Contexts are gathered in blocks by their number, 2 bytes each; a full block fits a page of the database. */
const BLOCK_BITS = 11
const IN_BLOCK = 2 ** BLOCK_BITS - 1
const LENGTH = 3

export function gramBlockOf(contextNo: number): number {
  return contextNo >>> BLOCK_BITS
}

/** Every three characters in a row of a name; none of a name that is shorter. */
export function gramsOf(text: string): Set<string> {
  const grams = new Set<string>()
  const characters = [...text]
  for (let i = 0; i + LENGTH <= characters.length; i++) grams.add(characters.slice(i, i + LENGTH).join(''))
  return grams
}

export function putContext(into: number[], contextNo: number): void {
  into.push((contextNo & IN_BLOCK) >>> 8, contextNo & 255)
}

export function contextsIn(block: number, entries: Uint8Array): number[] {
  const numbers: number[] = []
  for (let i = 0; i + 2 <= entries.length; i += 2)
    numbers.push(block * 2 ** BLOCK_BITS + ((entries[i] ?? 0) << 8) + (entries[i + 1] ?? 0))
  return numbers
}

/** Tokens that a window shares with the one before, so that no sentence is cut in both. */
const COMMON = 16
/** A longer text is read no further: its first 328 word pieces say what it is about. */
const MOST_WINDOWS = 4

/** How many tokens of a text are read in all, with windows of `size`, the marks of its two ends included. */
export function mostTokens(size: number): number {
  return size + (MOST_WINDOWS - 1) * stepOf(size)
}

/** The ids of a text in windows of at most `size`, each between the marks of the two ends. */
export function windowsOf(ids: readonly number[], size: number): (readonly number[])[] {
  if (ids.length <= size) return [ids]
  const windows: (readonly number[])[] = []
  const [first, last] = [ids.slice(0, 1), ids.slice(-1)]
  const inner = ids.slice(1, -1)
  for (let start = 0; start + COMMON < inner.length; start += stepOf(size))
    windows.push([...first, ...inner.slice(start, start + size - 2), ...last])
  return windows
}

function stepOf(size: number): number {
  return size - 2 - COMMON
}

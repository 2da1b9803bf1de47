const AROUND = 2
/** Above it, comparing every line with every other would take long; then all of it is shown as changed. */
const MAX_LINES = 1500

/** The lines that differ, marked with `-` and `+`, with a few around them. */
export function difference(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const middle = marked(old.slice(start, old.length - end), now.slice(start, now.length - end))
  const all = [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)]
  const isShown = (i: number) =>
    all.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((line) => !line.startsWith(' '))
  return all.flatMap((line, i) => (isShown(i) ? [line] : i > 0 && isShown(i - 1) ? ['  …'] : []))
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function same(line: string): string {
  return `  ${line}`
}

/** By the longest common subsequence. */
function marked(old: readonly string[], now: readonly string[]): string[] {
  const removed = (line: string) => `- ${line}`
  const added = (line: string) => `+ ${line}`
  if (old.length > MAX_LINES || now.length > MAX_LINES) return [...old.map(removed), ...now.map(added)]
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [before = '', after = ''] = [old[i], now[j]]
    if (i < old.length && j < now.length && before === after) {
      lines.push(same(before))
      i++
      j++
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(before))
      i++
    } else {
      lines.push(added(after))
      j++
    }
  }
  return lines
}

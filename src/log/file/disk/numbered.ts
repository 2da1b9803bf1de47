import type { Files } from './files.js'

/**
 * Each owner of a data folder has a number, and what it makes has the number in its name: `keys.json` is of owner 0, from
 * before there were numbers, `keys.3.json` of owner 3. So an owner that was replaced, and wakes up, changes nothing of the next one.
 */
export function numbered(stem: string, number: number, end = ''): string {
  return number === 0 ? `${stem}${end}` : `${stem}.${number}${end}`
}

/** The number in a name; undefined when it is not such a name. */
export function numberIn(name: string, stem: string, end = ''): number | undefined {
  if (name === `${stem}${end}`) return 0
  if (!name.startsWith(`${stem}.`) || !name.endsWith(end)) return undefined
  const number = name.slice(stem.length + 1, name.length - end.length)
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined
}

/** The highest number that such a name in the folder has; undefined when there is none. */
export async function latest(
  files: Files,
  folder: string,
  stem: string,
  end = '',
): Promise<number | undefined> {
  const numbers = (await files.list(folder)).flatMap((name) => numberIn(name, stem, end) ?? [])
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

import type { Files } from './files.js'

/**
 * The name of a file that belongs to the owner with this number: `keys.3.json` for owner 3, `keys.json` for owner 0. Since
 * each owner writes under its own names, a replaced owner that wakes up cannot change files of the next one.
 */
export function numberedName(stem: string, number: number, end = ''): string {
  return number === 0 ? `${stem}${end}` : `${stem}.${number}${end}`
}

/** The number in such a name; undefined for any other name. */
export function numberIn(name: string, stem: string, end = ''): number | undefined {
  if (name === `${stem}${end}`) return 0
  if (!name.startsWith(`${stem}.`) || !name.endsWith(end)) return undefined
  const number = name.slice(stem.length + 1, name.length - end.length)
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined
}

/** The highest number among such names in the folder; undefined when there is none. */
export async function latestNumber(
  files: Files,
  folder: string,
  stem: string,
  end = '',
): Promise<number | undefined> {
  const numbers = (await files.list(folder)).flatMap((name) => numberIn(name, stem, end) ?? [])
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

import { existsSync } from 'node:fs'
import { FirstLine } from './first-line.js'

/**
 * Where Linux says what the processors did since it started: a name, then user, nice, system, idle, waiting, interrupts,
 * more of them, and what others on the same hardware took.
 */
export const STAT = '/proc/stat'
export const TAKEN = 8
export const UNIT_MS = 10
/** Beyond this a machine is not the one that is measured. */
const MAX_TAKEN = 0.15

/** Begins to watch how much of this machine's time others on the same hardware take; says aloud when it was too much to measure. */
export function watchMachine(what: string): () => boolean {
  if (!existsSync(STAT)) return () => true
  const stat = new FirstLine(STAT)
  const before = stat.numbers()
  return () => {
    const spent = stat.numbers().map((time, i) => time - (before[i] ?? 0))
    stat.close()
    const all = spent.slice(1, TAKEN + 1).reduce((sum, time) => sum + time, 0)
    const taken = all === 0 ? 0 : (spent[TAKEN] ?? 0) / all
    if (taken <= MAX_TAKEN) return true
    console.error(
      `NOT MEASURED: ${what}, because others took ${Math.round(100 * taken)} % of this machine's time.`,
    )
    return false
  }
}

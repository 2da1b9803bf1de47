import type { Environment } from './database.js'

/**
 * Whether memories are searched by meaning as well as by words. With `on` a damaged model stops the start;
 * with `auto` the service then starts and searches by words alone; with `off` it always does.
 */
const MEANING_MODES = ['on', 'auto', 'off'] as const

export type MeaningMode = (typeof MEANING_MODES)[number]

/** Names with their help texts. */
export const MEANING_SETTINGS: readonly (readonly [string, string])[] = [
  ['LOREGRAPH_MEANING', 'find by meaning, not by words alone: on (the default), auto (where it can) or off'],
]

export function readMeaning(env: Environment, mistakes: string[]): MeaningMode {
  const text = env['LOREGRAPH_MEANING'] ?? 'on'
  const mode = MEANING_MODES.find((known) => known === text)
  if (mode === undefined)
    mistakes.push(
      `LOREGRAPH_MEANING must be one of ${MEANING_MODES.join(', ')}, not ${JSON.stringify(text)}.`,
    )
  return mode ?? 'on'
}

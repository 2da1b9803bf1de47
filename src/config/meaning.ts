import type { Environment } from './database.js'

/**
 * Whether texts are read for meaning. `on`: a damaged installation stops the start. `auto`: what cannot be read for
 * meaning is found by its words. `off`: everything is found by words alone.
 */
const MEANING_MODES = ['on', 'auto', 'off'] as const

export type MeaningMode = (typeof MEANING_MODES)[number]

/** By name, with what the help says of it. */
export const MEANING_SETTINGS: readonly (readonly [string, string])[] = [
  ['LOREGRAPH_MEANING', 'find by meaning, not by words alone: on (the default), auto (where it can) or off'],
]

/** Reads it, and adds what is wrong with it to `mistakes`. */
export function readMeaning(env: Environment, mistakes: string[]): MeaningMode {
  const mode = env['LOREGRAPH_MEANING'] ?? 'on'
  if (isMode(mode)) return mode
  mistakes.push(`LOREGRAPH_MEANING must be one of ${MEANING_MODES.join(', ')}, not ${JSON.stringify(mode)}.`)
  return 'on'
}

function isMode(text: string): text is MeaningMode {
  return MEANING_MODES.some((known) => known === text)
}

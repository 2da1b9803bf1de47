import { Failure } from '../../domain/failure.js'
import { SCOPES } from '../../domain/keys.js'
import { SOURCES } from '../../domain/model.js'
import { foldContextId } from '../../domain/names.js'
import { parseAsOf, parseTime } from '../../domain/time.js'

/**
 * The contract's limits on operands and options, so that a mistake is found before a folder is opened or a service asked.
 * A test compares them with the contract.
 */
export const GRAPH_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/
export const LONGEST_GRAPH_ID = 128
export const KEY_ID = /^key_[0-7][0-9A-HJKMNP-TV-Z]{25}$/
export const LONGEST_KEY_NAME = 100
export const LONGEST_TASK = 4000
export const MOST_MEMORIES = 100
export const MEMORY_ID = /^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/
export const LONGEST_BRIEF_TASK = 600
export const BRIEF_CHARS = { least: 200, most: 20_000 }
export const MOST_DEPTH = 3
export const AS_OF =
  /^([0-9]{1,15}|[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?)$/
export const VALID_AT =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$/
export const FORMATS = ['loregraph', 'mcp-memory', 'facts'] as const
export type Format = (typeof FORMATS)[number]
/** A number of hours, days or weeks. */
export const EXPIRY = /^([1-9]\d{0,5})([hdw])$/

export function graphMistakes(graphId: string, what = 'The graph'): string[] {
  return unless(
    GRAPH_ID.test(graphId) && graphId.length <= LONGEST_GRAPH_ID,
    `${what} must be 1 to ${LONGEST_GRAPH_ID} of A-Z a-z 0-9 . _ - and not start with a dot, not ${JSON.stringify(graphId)}.`,
  )
}

export function keyIdMistakes(keyId: string): string[] {
  const given = keyId.startsWith('lore_') ? 'by its secret' : JSON.stringify(keyId)
  return unless(
    KEY_ID.test(keyId),
    `A key is named by its id, such as key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q, not ${given}. "loregraph key list" shows them.`,
  )
}

export function keyNameMistakes(name: string | undefined): string[] {
  if (name === undefined) return ['key create needs --name <words>: what the key is for.']
  return unless(
    name.trim() !== '' && [...name].length <= LONGEST_KEY_NAME && !/\p{Cc}/u.test(name),
    `--name must have 1 to ${LONGEST_KEY_NAME} characters, none of them a control character.`,
  )
}

export function scopeMistakes(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return [`key create needs --scope <scope>: ${SCOPES.join(', ')}; once for each.`]
  return scopes
    .filter((scope) => !SCOPES.some((known) => known === scope))
    .map((scope) => `--scope must be ${SCOPES.join(', ')}, not ${JSON.stringify(scope)}.`)
}

export function sourceMistakes(sources: readonly string[]): string[] {
  return sources
    .filter((source) => !SOURCES.some((known) => known === source))
    .map((source) => `--source must be ${SOURCES.join(', ')}, not ${JSON.stringify(source)}.`)
}

export function taskMistakes(task: string, what = 'The task', most = LONGEST_TASK): string[] {
  return unless(
    task !== '' && [...task].length <= most && !task.includes('\0'),
    `${what} must have 1 to ${most} characters.`,
  )
}

export function limitMistakes(limit: string): string[] {
  return unless(
    /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MOST_MEMORIES,
    `--limit must be a whole number from 1 to ${MOST_MEMORIES}, not ${JSON.stringify(limit)}.`,
  )
}

export function briefTaskMistakes(task: string): string[] {
  return taskMistakes(task, '--task', LONGEST_BRIEF_TASK)
}

export function maxCharsMistakes(count: string): string[] {
  const { least, most } = BRIEF_CHARS
  return unless(
    /^[1-9]\d{2,4}$/.test(count) && Number(count) >= least && Number(count) <= most,
    `--max-chars must be a whole number from ${least} to ${most}, not ${JSON.stringify(count)}.`,
  )
}

export function depthMistakes(depth: string): string[] {
  return unless(
    /^[1-9]$/.test(depth) && Number(depth) <= MOST_DEPTH,
    `--depth must be a whole number from 1 to ${MOST_DEPTH}, not ${JSON.stringify(depth)}.`,
  )
}

export function memoryIdMistakes(memoryId: string): string[] {
  return unless(
    MEMORY_ID.test(memoryId),
    `A memory is named by its id, such as mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N, not ${JSON.stringify(memoryId)}.`,
  )
}

export function asOfMistakes(moment: string | undefined): string[] {
  return unless(
    moment === undefined || (AS_OF.test(moment) && isTaken(() => parseAsOf(moment, '--as-of'))),
    `--as-of must be a date such as 2026-03-02, a moment such as 2026-03-02T09:30:00Z, or a place as digits, not ${JSON.stringify(moment)}.`,
  )
}

export function validAtMistakes(time: string | undefined): string[] {
  return unless(
    time === undefined || (VALID_AT.test(time) && isTaken(() => parseTime(time, '--valid-at'))),
    `--valid-at must be a date such as 2026-03-02, or a moment such as 2026-03-02T09:30:00Z, not ${JSON.stringify(time)}.`,
  )
}

/** The 31st of February has the form of a day. */
function isTaken(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return false
  }
}

export function isFormat(format: string): format is Format {
  return FORMATS.some((known) => known === format)
}

export function contextMistakes(context: string, what = '--context'): string[] {
  try {
    foldContextId(context)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [`${what} must be written type:name, not ${JSON.stringify(context)}.`]
  }
}

function unless(fits: boolean, mistake: string): string[] {
  return fits ? [] : [mistake]
}

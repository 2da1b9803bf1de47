import { Failure } from './failure.js'
import type { KeyId } from './keys.js'
import type { ContextId, MemoryId } from './model.js'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX = 'mem_'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16
const LAST_TIME = 2 ** 48 - 1
const LAST_ULID = '7'.padEnd(TIME_LENGTH + RANDOM_LENGTH, 'Z')

/** The form of a memory id: `mem_` and a ULID. */
export const MEMORY_ID = /^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Of the form of a memory id, and never given out: where an answer must name a memory that there is none of. */
export const NO_MEMORY = `${PREFIX}${'0'.repeat(TIME_LENGTH + RANDOM_LENGTH)}`

export function isMemoryId(target: ContextId | MemoryId): target is MemoryId {
  return MEMORY_ID.test(target)
}

/**
 * The id after `previous`: larger as a string whatever the clock does, because a clock that stands still or goes back
 * counts `previous` up instead.
 */
export function nextMemoryId(previous: MemoryId | undefined, now: number, random: Uint8Array): MemoryId {
  const time = encodeTime(now)
  if (previous !== undefined && time <= previous.slice(PREFIX.length, PREFIX.length + TIME_LENGTH))
    return PREFIX + countUp(previous.slice(PREFIX.length))
  return PREFIX + time + encodeRandom(random)
}

/** When a memory id was given out, in milliseconds, by the clock of its service. */
export function timeOfMemoryId(id: MemoryId): number {
  let time = 0
  for (const digit of id.slice(PREFIX.length, PREFIX.length + TIME_LENGTH))
    time = time * 32 + ALPHABET.indexOf(digit)
  return time
}

/** `key_` and a ULID. Keys are few and made by people, so that two of the same millisecond need no order. */
export function makeKeyId(now: number, random: Uint8Array): KeyId {
  return `key_${encodeTime(now)}${encodeRandom(random)}`
}

/** How many random bytes an id takes. */
export const ID_BYTES = RANDOM_LENGTH

function encodeRandom(random: Uint8Array): string {
  let tail = ''
  for (let i = 0; i < RANDOM_LENGTH; i++) tail += ALPHABET.charAt((random[i] ?? 0) & 31)
  return tail
}

function encodeTime(now: number): string {
  let rest = Math.min(LAST_TIME, Math.max(0, Math.floor(now)))
  let digits = ''
  for (let i = 0; i < TIME_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 32) + digits
    rest = Math.floor(rest / 32)
  }
  return digits
}

function countUp(ulid: string): string {
  if (ulid === LAST_ULID)
    throw new Failure('storage_full', 'The graph holds the last possible memory id. Record in another one.')
  const digits = [...ulid]
  for (let i = digits.length - 1; i >= 0; i--) {
    const next = ALPHABET.indexOf(digits[i] ?? '0') + 1
    digits[i] = ALPHABET.charAt(next % 32)
    if (next < 32) break
  }
  return digits.join('')
}

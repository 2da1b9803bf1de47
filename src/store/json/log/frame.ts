import { crc32 } from 'node:zlib'
import type { KeptAnswer } from './records.js'

/** What is written in one go. */
export interface Group<R> {
  readonly records: readonly R[]
  readonly once?: KeptAnswer
}

/**
 * A line of a log: the length and checksum of what follows them, then what was written in one go, all of it or none.
 * Each line is JSON, so that the file can be read with any tool:
 *
 *     {"length":       131,"crc32":"5bd1e995","seq":7,"count":1,"flushed":6,"records":[{"op":"recorded",…}]}
 */
export interface Frame<R> extends FrameHead, Group<R> {}

export interface FrameHead {
  /** The place of its first record in the order of recording. */
  readonly seq: number
  readonly count: number
  /** The last record known to be on disk when this line was written. */
  readonly flushed: number
}

const LENGTH_DIGITS = 10
const PREFIX_LENGTH = prefixOf(Buffer.alloc(0)).length
const NEW_LINE = 0x0a

/** One line, its line feed included; `paddingFor` says from its length how many spaces come before the line feed. */
export function encodeLine(content: object, paddingFor: (length: number) => number = () => 0): Buffer {
  const text = JSON.stringify(content).slice(1)
  const length = PREFIX_LENGTH + Buffer.byteLength(text) + 1
  const body = Buffer.from(text + ' '.repeat(paddingFor(length)))
  return Buffer.concat([prefixOf(body), body, Buffer.of(NEW_LINE)])
}

/** Is this line, given without its line feed, exactly as it was written? */
export function isIntact(line: Buffer): boolean {
  if (line.length <= PREFIX_LENGTH) return false
  return prefixOf(line.subarray(PREFIX_LENGTH)).equals(line.subarray(0, PREFIX_LENGTH))
}

/** What an intact line says. */
export function decodeLine(line: Buffer): unknown {
  return JSON.parse(`{${line.toString('utf8', PREFIX_LENGTH)}`)
}

const HEAD = /^"seq":(\d+),"count":(\d+),"flushed":(\d+),"records":\[/
const LONGEST_HEAD = 100

/** The place of an intact line in the order of recording, found without reading its records; undefined when it holds none. */
export function headOf(line: Buffer): FrameHead | undefined {
  const found = HEAD.exec(line.toString('latin1', PREFIX_LENGTH, PREFIX_LENGTH + LONGEST_HEAD))
  if (found === null) return undefined
  return { seq: Number(found[1]), count: Number(found[2]), flushed: Number(found[3]) }
}

/** Could these bytes be the start of a line whose rest is missing? A whole line with one wrong byte could not. */
export function isCutShort(bytes: Buffer): boolean {
  if (bytes.length <= PREFIX_LENGTH) return true
  const length = Number(bytes.toString('latin1', '{"length":'.length, '{"length":'.length + LENGTH_DIGITS))
  return bytes.length - PREFIX_LENGTH <= length
}

/**
 * A disk writes sectors, whole or not at all. Lines written together never leave fewer than `LEAST` of their bytes in
 * a sector, so that a sector that was not written shows as a run of zeros, which no single wrong byte can look like.
 */
const LEAST = 16
const SECTOR = 512

export function paddingFor(end: number): number {
  const over = end % SECTOR
  if (over >= LEAST && over <= SECTOR - LEAST) return 0
  return (LEAST - over + SECTOR) % SECTOR
}

/** How many bytes there are from `offset` to a place that lies in its sector where `wanted` lies in its own. */
export function shiftTo(offset: number, wanted: number): number {
  return (((wanted - offset) % SECTOR) + SECTOR) % SECTOR
}

export function hasUnwrittenSector(bytes: Buffer): boolean {
  return bytes.includes(UNWRITTEN)
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

const UNWRITTEN = Buffer.alloc(LEAST)

function prefixOf(body: Buffer): Buffer {
  const length = String(body.length).padStart(LENGTH_DIGITS)
  const sum = crc32(body).toString(16).padStart(8, '0')
  return Buffer.from(`{"length":${length},"crc32":"${sum}",`, 'latin1')
}

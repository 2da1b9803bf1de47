import { crc32 } from 'node:zlib'
import { parseLargeJson } from '../../domain/events/large-json.js'
import type { KeptAnswer } from '../../graph/records.js'
import { inSlices } from '../../loop/yielding.js'
import { Broken, OtherVersion } from './disk/errors.js'

/** What is written in one go. */
export interface Group<R> {
  /** How many positions it takes; after an erasure it may hold fewer records. */
  readonly count: number
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
  /** The position of its first record. */
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

/**
 * The line of a frame, in buffers that are `CHUNK` bytes long or so, made a record at a time: what was written in one go may
 * be long.
 */
export function* encodeFrame<R>(
  { seq, count, flushed, records, once }: Frame<R>,
  paddingFor: (length: number) => number,
): Generator<void, Buffer[]> {
  const pieces: Buffer[] = []
  let sum = 0
  let length = 0
  const put = (text: string) => {
    const piece = Buffer.from(text)
    sum = crc32(piece, sum)
    length += piece.length
    pieces.push(piece)
  }
  put(`"seq":${seq},"count":${count},"flushed":${flushed},"records":[`)
  for (const [i, record] of records.entries()) {
    put((i === 0 ? '' : ',') + JSON.stringify(record))
    yield
  }
  put(once === undefined ? ']}' : `],"once":${JSON.stringify(once)}}`)
  put(' '.repeat(paddingFor(PREFIX_LENGTH + length + 1)))
  return joined([prefixWith(length, sum), ...pieces, Buffer.of(NEW_LINE)])
}

const CHUNK = 1024 * 1024

/** The same bytes in fewer buffers. */
function joined(pieces: readonly Buffer[]): Buffer[] {
  const chunks: Buffer[] = []
  let some: Buffer[] = []
  let length = 0
  for (const piece of pieces) {
    some.push(piece)
    length += piece.length
    if (length < CHUNK) continue
    chunks.push(Buffer.concat(some))
    some = []
    length = 0
  }
  if (length > 0) chunks.push(Buffer.concat(some))
  return chunks
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

/** A longer line is parsed in slices. */
const LONG = 1024 * 1024

/** What an intact line of records says, in slices if it is long. */
export async function decodeFrame<R>(line: Buffer): Promise<Frame<R>> {
  // The checksum says that we wrote it.
  if (line.length <= LONG) return decodeLine(line) as Frame<R>
  const frame = await inSlices(parseLargeJson(line, Number.POSITIVE_INFINITY))
  const { seq, count, flushed, records, once } = frame as unknown as Frame<R>
  return { seq, count, flushed, records, ...(once !== undefined && { once }) }
}

const HEAD = /^"seq":(\d+),"count":(\d+),"flushed":(\d+),"records":\[/
const ERASED = '"records":[{"op":"erased",'
const EMPTY = '"records":[]}'
const LONGEST_HEAD = 100

/** The positions of an intact line, found without parsing its records; undefined when it is not a frame. */
export function headOf(line: Buffer): FrameHead | undefined {
  const found = HEAD.exec(line.toString('latin1', PREFIX_LENGTH, PREFIX_LENGTH + LONGEST_HEAD))
  if (found === null) return undefined
  return { seq: Number(found[1]), count: Number(found[2]), flushed: Number(found[3]) }
}

/** Does an intact line hold an `erased` record? Whoever writes one puts `op` first. */
export function isErasure(line: Buffer): boolean {
  return startOf(line).includes(ERASED)
}

/** Is nothing left of an intact line but the positions that it took? */
export function isEmptied(line: Buffer): boolean {
  return line.length < PREFIX_LENGTH + LONGEST_HEAD + SECTOR && startOf(line).includes(EMPTY)
}

function startOf(line: Buffer): string {
  return line.toString('latin1', PREFIX_LENGTH, PREFIX_LENGTH + LONGEST_HEAD + ERASED.length)
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

/** How many bytes there are from `offset` to one that lies in its sector where `wanted` lies in its own. */
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
  return prefixWith(body.length, crc32(body))
}

function prefixWith(length: number, sum: number): Buffer {
  const digits = String(length).padStart(LENGTH_DIGITS)
  return Buffer.from(`{"length":${digits},"crc32":"${sum.toString(16).padStart(8, '0')}",`, 'latin1')
}

/** 2: events have sequence numbers, and what was decided of them is kept with them. Snapshots have the same format. */
export const JOURNAL_FORMAT = 2
/** 2: graphs may be deleted, and kept in folders other than their first. It is the format of the data folder as a whole. */
export const MANIFEST_FORMAT = 2

/** The first line of a log. */
export interface LogHeader {
  readonly format: number
  /** Whose log it is: `manifest`, or `graph` and its id. */
  readonly log: string
  /** The position before its first record. */
  readonly after: number
}

export function encodeHeader(log: string, after: number, format = JOURNAL_FORMAT): Buffer {
  const header: LogHeader = { format, log, after }
  return encodeLine(header, paddingFor)
}

/** A header after which the bytes from `start` to `end` of another log can follow as if they stood where they stood. */
export function encodeHeaderBefore(log: string, after: number, start: number, end: number): Buffer {
  const header: LogHeader = { format: JOURNAL_FORMAT, log, after }
  return encodeLine(header, (length) => shiftTo(length, start + paddingFor(end)))
}

/** Checks a header that was read; `path` is named if it will not do. */
export function checkHeader(path: string, header: unknown, log: string, known = JOURNAL_FORMAT): LogHeader {
  if (!isLogHeader(header)) throw new Broken(path, 0, 'the header cannot be read')
  checkFormat(path, header.format, known)
  if (header.log !== log) throw new Broken(path, 0, `it is the log of ${header.log}, not of ${log}`)
  return header
}

/** Refuses what a newer version wrote, and what 0.1 did. */
export function checkFormat(path: string, format: number, known = JOURNAL_FORMAT): void {
  if (format !== known) throw new OtherVersion(path, format, known)
}

export function isLogHeader(value: unknown): value is LogHeader {
  if (typeof value !== 'object' || value === null) return false
  return (
    'format' in value &&
    typeof value.format === 'number' &&
    'log' in value &&
    typeof value.log === 'string' &&
    'after' in value &&
    typeof value.after === 'number'
  )
}

import { crc32 } from 'node:zlib'
import { parseLargeJson } from '../../domain/events/large-json.js'
import type { KeptAnswer } from '../../graph/records.js'
import { inSlices } from '../../loop/yielding.js'
import { Broken, OtherVersion } from './disk/errors.js'

/** Records that are written atomically. */
export interface Group<R> {
  /** How many positions the group takes; after an erasure it may hold fewer records. */
  readonly count: number
  readonly records: readonly R[]
  readonly once?: KeptAnswer
}

/**
 * A line of a log: the length and checksum of the rest of the line, then a group of records.
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
const PREFIX_LENGTH = prefixOf(0, 0).length
const LINE_FEED = Buffer.from('\n')

/** Encodes a line. `paddingFor` gets its length and returns how many spaces to insert before the line feed. */
export function encodeLine(content: object, paddingFor: (length: number) => number = () => 0): Buffer {
  const text = JSON.stringify(content).slice(1)
  const length = PREFIX_LENGTH + Buffer.byteLength(text) + 1
  const body = Buffer.from(text + ' '.repeat(paddingFor(length)))
  return Buffer.concat([Buffer.from(prefixOf(body.length, crc32(body))), body, LINE_FEED])
}

/** Encodes the line of a frame. Yields after each record, since a frame may be long. */
export function* encodeFrame<R>(
  { seq, count, flushed, records, once }: Frame<R>,
  paddingFor: (length: number) => number = () => 0,
): Generator<void, Buffer> {
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
  return Buffer.concat([Buffer.from(prefixOf(length, sum)), ...pieces, LINE_FEED])
}

/** Do length and checksum of a line match? The line is passed without its line feed. */
export function isIntact(line: Buffer): boolean {
  if (line.length <= PREFIX_LENGTH) return false
  const body = line.subarray(PREFIX_LENGTH)
  return line.toString('latin1', 0, PREFIX_LENGTH) === prefixOf(body.length, crc32(body))
}

export function decodeLine(line: Buffer): unknown {
  return JSON.parse(line.toString())
}

/** Lines with more bytes are parsed in slices. */
const MAX_PARSED_AT_ONCE = 1024 * 1024

/** Decodes an intact line of records, in slices if it is long. */
export async function decodeFrame<R>(line: Buffer): Promise<Frame<R>> {
  // Safe to cast: the checksum proves that this program wrote it.
  if (line.length <= MAX_PARSED_AT_ONCE) return decodeLine(line) as Frame<R>
  const frame = await inSlices(parseLargeJson(line, Number.POSITIVE_INFINITY))
  const { seq, count, flushed, records, once } = frame as unknown as Frame<R>
  return { seq, count, flushed, records, ...(once !== undefined && { once }) }
}

const HEAD = /^"seq":(\d+),"count":(\d+),"flushed":(\d+),"records":\[/
const ERASED = '"records":[{"op":"erased",'
const EMPTY = '"records":[]}'
const MAX_HEAD_BYTES = 100

/** Reads the head of an intact line without parsing its records; undefined when the line is not a frame. */
export function headOf(line: Buffer): FrameHead | undefined {
  const found = HEAD.exec(line.toString('latin1', PREFIX_LENGTH, PREFIX_LENGTH + MAX_HEAD_BYTES))
  if (found === null) return undefined
  return { seq: Number(found[1]), count: Number(found[2]), flushed: Number(found[3]) }
}

/** Does an intact line hold an `erased` record? Such records are written with `op` first (see `toGroup`). */
export function isErasure(line: Buffer): boolean {
  return startOf(line).includes(ERASED)
}

/** Did erasures remove all records of an intact line? */
export function isEmptyLine(line: Buffer): boolean {
  return line.length < PREFIX_LENGTH + MAX_HEAD_BYTES + SECTOR && startOf(line).includes(EMPTY)
}

function startOf(line: Buffer): string {
  return line.toString('latin1', PREFIX_LENGTH, PREFIX_LENGTH + MAX_HEAD_BYTES + ERASED.length)
}

/** Could these bytes be the start of an incomplete line? Never true for a complete line with one wrong byte. */
export function isCutShort(bytes: Buffer): boolean {
  if (bytes.length <= PREFIX_LENGTH) return true
  const length = Number(bytes.toString('latin1', '{"length":'.length, '{"length":'.length + LENGTH_DIGITS))
  return bytes.length - PREFIX_LENGTH <= length
}

/**
 * A disk writes whole sectors. Lines written together are padded to have at least this many bytes in each sector they
 * touch. So an unwritten sector shows as a run of zeros, which one wrong byte cannot imitate.
 */
const MIN_BYTES_IN_SECTOR = 16
const SECTOR = 512

export function paddingFor(end: number): number {
  const over = end % SECTOR
  if (over >= MIN_BYTES_IN_SECTOR && over <= SECTOR - MIN_BYTES_IN_SECTOR) return 0
  return (MIN_BYTES_IN_SECTOR - over + SECTOR) % SECTOR
}

export function hasUnwrittenSector(bytes: Buffer): boolean {
  return bytes.includes(UNWRITTEN)
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

const UNWRITTEN = Buffer.alloc(MIN_BYTES_IN_SECTOR)

function prefixOf(length: number, sum: number): string {
  const digits = String(length).padStart(LENGTH_DIGITS)
  return `{"length":${digits},"crc32":"${sum.toString(16).padStart(8, '0')}",`
}

/**
 * The format of the data folder: of manifests, journals and snapshots. Since 2, decisions are stored, and graphs may be deleted and
 * move to other folders.
 */
export const FORMAT = 2

/** The first line of a log. */
export interface LogHeader {
  readonly format: number
  /** `manifest`, or `graph` and the id of the graph. */
  readonly log: string
  /** The position before its first record. */
  readonly after: number
}

/** Encodes a header that is written together with `following` bytes of lines, and padded for them (see `paddingFor`). */
export function encodeHeader(log: string, after: number, following = 0): Buffer {
  const header: LogHeader = { format: FORMAT, log, after }
  return encodeLine(header, (length) => paddingFor(length + following))
}

/** Throws `Broken` with `path` if the header is not valid. */
export function checkHeader(path: string, header: unknown, log: string): LogHeader {
  if (!isLogHeader(header)) throw new Broken(path, 0, 'the header cannot be read')
  checkFormat(path, header.format)
  if (header.log !== log) throw new Broken(path, 0, `it is the log of ${header.log}, not of ${log}`)
  return header
}

/** Refuses files of newer versions and of 0.1. */
export function checkFormat(path: string, format: number): void {
  if (format !== FORMAT) throw new OtherVersion(path, format, FORMAT)
}

export function isLogHeader(value: unknown): value is LogHeader {
  return hasFields(value, { format: 'number', log: 'string', after: 'number' })
}

/** Does an object have fields of these types? */
export function hasFields(value: unknown, types: Readonly<Record<string, 'number' | 'string'>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(types).every(([name, type]) => typeof Reflect.get(value, name) === type)
}

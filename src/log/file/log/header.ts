import { Broken } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import { encodeLine, paddingFor, shiftTo } from './frame.js'

/** 2: events have places, and what was decided of them is kept with them. Snapshots have the same format. */
export const JOURNAL_FORMAT = 2
/** 2: graphs may be deleted, and kept in folders other than their first. It is the format of the data folder as a whole. */
export const MANIFEST_FORMAT = 2

/** The first line of a log. */
export interface LogHeader {
  readonly format: number
  /** Whose log it is: `manifest`, or `graph` and its id. */
  readonly log: string
  /** The record before its first one. */
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
  if (header.format > known)
    throw new Broken(
      path,
      0,
      `its format is ${header.format} and this program knows ${known}: a newer Loregraph wrote it`,
    )
  if (header.log !== log) throw new Broken(path, 0, `it is the log of ${header.log}, not of ${log}`)
  return header
}

export function refuseMissing(files: Files, path: string): void {
  if (files.identify(path) === undefined) throw new Broken(path, 0, 'the file is missing')
}

function isLogHeader(value: unknown): value is LogHeader {
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

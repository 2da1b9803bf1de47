import { hash } from 'node:crypto'
import { endianness } from 'node:os'
import { crc32 } from 'node:zlib'
import { stemsOf } from '../../domain/search/text-analysis.js'
import { textOf } from '../../domain/text.js'
import type { SavedIndexes } from '../../graph/indexes.js'
import { Segment } from '../../graph/search/segment.js'
import { replaceFile } from './disk/durable.js'
import type { OpenFile } from './disk/files.js'
import { type GraphHome, indexPath } from './journal.js'

/** The first line of the file. */
interface IndexHeader extends Pick<SavedIndexes, 'count' | 'lastId' | 'seed'> {
  /** Files with another identity are ignored. */
  readonly identity: string
  /** The number of terms and of postings of each segment. */
  readonly segments: readonly (readonly [number, number])[]
  /** The length of all terms in bytes, each with a line feed. */
  readonly termBytes: number
}

/** Words of many kinds. If their stems change, the identity changes, and saved indexes are not used. */
const SAMPLE = {
  some_text:
    "Don't use HTTPServer's base64Encode (v1.2.3-rc4): relational databases were flying, naïvely, to Straße 9",
  others: ['東京都に行きました', 'ประเทศไทย', 'Ελληνικά', 'ﬁne', '🇨🇭 😀', { Ünïcode: true, n: 1.5e3 }],
}
const IDENTITY = `indexes 1 ${endianness()} ${hash('sha256', JSON.stringify(stemsOf(textOf(SAMPLE))))}`

const CHUNK = 1024 * 1024
const MAX_HEADER_BYTES = 64 * 1024
const SUM_BYTES = 8
const LINE_FEED = 0x0a

/** Replaces the saved indexes of a graph. */
export async function writeIndexes(home: GraphHome, indexes: SavedIndexes): Promise<void> {
  const { count, lastId, seed, hashes, terms } = indexes
  const { lengths, segments } = terms
  const texts = encodeTerms(terms.terms)
  const header: IndexHeader = {
    identity: IDENTITY,
    count,
    lastId,
    seed,
    segments: segments.map(({ terms, size }) => [terms.length, size]),
    termBytes: texts.reduce((sum, { length }) => sum + length, 0),
  }
  await replaceFile(home.files, indexPath(home), async (file) => {
    let sum = 0
    const put = async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        const chunk = bytes.subarray(at, at + CHUNK)
        sum = crc32(chunk, sum)
        await file.append(chunk)
      }
    }
    await put(Buffer.from(`${JSON.stringify(header)}\n`))
    for (const numbers of [
      hashes,
      lengths,
      ...segments.flatMap(({ terms, ends, pairs }) => [terms, ends, pairs]),
    ])
      await put(bytesOf(numbers))
    for (const text of texts) await put(text)
    await file.append(Buffer.from(sum.toString(16).padStart(SUM_BYTES, '0')))
  })
}

/** The saved indexes; undefined if there are none, or if they cannot be used for any reason. */
export async function readIndexes(home: GraphHome): Promise<SavedIndexes | undefined> {
  const { files } = home
  const path = indexPath(home)
  try {
    if (files.identify(path) === undefined) return undefined
    const file = await files.openToRead(path)
    try {
      return await readFrom(file)
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

async function readFrom(file: OpenFile): Promise<SavedIndexes | undefined> {
  const { size } = file.identity()
  const start = Buffer.alloc(Math.min(MAX_HEADER_BYTES, size))
  await file.read(start, 0)
  const end = start.indexOf(LINE_FEED)
  if (end < 0) return undefined
  // Safe to cast: the identity proves that this program wrote it, and the checksum is verified below.
  const header = JSON.parse(start.toString('utf8', 0, end)) as IndexHeader
  if (header.identity !== IDENTITY) return undefined
  const { count, lastId, seed, termBytes } = header
  const numbers = header.segments.reduce((sum, [terms, pairs]) => sum + 2 * terms + pairs, 2 * count)
  if (size !== end + 1 + 4 * numbers + termBytes + SUM_BYTES) return undefined
  const reading = new Reading(file, start.subarray(0, end + 1))
  const hashes = await reading.numbers(count)
  const lengths = await reading.numbers(count)
  const segments: Segment[] = []
  for (const [terms, pairs] of header.segments)
    segments.push(
      new Segment(await reading.numbers(terms), await reading.numbers(terms), await reading.numbers(pairs)),
    )
  const texts = await reading.bytes(termBytes)
  if (!(await reading.isWhole())) return undefined
  return { count, lastId, seed, hashes, terms: { lengths, segments, terms: decodeTerms(texts) } }
}

/** Reads the parts of the file in order, and computes the checksum. */
class Reading {
  readonly #file: OpenFile
  #position: number
  #sum: number

  constructor(file: OpenFile, header: Buffer) {
    this.#file = file
    this.#position = header.length
    this.#sum = crc32(header)
  }

  async numbers(count: number): Promise<Uint32Array> {
    const numbers = new Uint32Array(count)
    await this.#fill(bytesOf(numbers))
    return numbers
  }

  async bytes(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length)
    await this.#fill(bytes)
    return bytes
  }

  async isWhole(): Promise<boolean> {
    const sum = Buffer.alloc(SUM_BYTES)
    await this.#file.read(sum, this.#position)
    return sum.toString('latin1') === this.#sum.toString(16).padStart(SUM_BYTES, '0')
  }

  async #fill(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK)
      await this.#file.read(chunk, this.#position)
      this.#sum = crc32(chunk, this.#sum)
      this.#position += chunk.length
    }
  }
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

const TERMS_PER_CHUNK = 4096

function encodeTerms(terms: Iterable<readonly string[]>): Buffer[] {
  const encoded: Buffer[] = []
  for (const some of terms)
    for (let at = 0; at < some.length; at += TERMS_PER_CHUNK)
      encoded.push(Buffer.from(`${some.slice(at, at + TERMS_PER_CHUNK).join('\n')}\n`))
  return encoded
}

const CHUNK_BYTES = 32 * 1024

function* decodeTerms(bytes: Buffer): Generator<readonly string[]> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at + CHUNK_BYTES)
    const next = end < 0 ? bytes.length - 1 : end
    yield bytes.toString('utf8', at, next).split('\n')
    at = next + 1
  }
}

import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { WordPieces } from '../../domain/meaning/word-pieces.js'
import { PROGRAMS } from './program.js'

/** What the headers of the weights must say, and the sizes of the weights in bytes. The layout is that of assembly/layout.ts. */
const HEADER = { hidden: 384, heads: 12, feed: 1536, positions: 128 }
export const WEIGHTS = {
  encoder: { header: { layers: 3, ...HEADER }, size: 17_452_016 },
  reader: { header: { layers: 6, ...HEADER }, size: 11_615_236 },
}
export type WeightsName = keyof typeof WEIGHTS
const WORDS = 30_522

/** The model of the package. The relative path is the same from `src` and from `dist`. */
export const MODEL = new URL('../../../model/', import.meta.url)

/** A file of the model is missing, damaged or of another version; the message says which. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

export interface Model {
  readonly folder: URL
  readonly sha256: Readonly<Record<WeightsName, string>>
  /** Hash of weights, vocabulary, program and `READING`. Only vectors of equal identity may be compared. */
  readonly identity: string
}

/** To be changed when other parts of a memory are read, or vectors are computed in another way. */
const READING = 'type name: key: value; 4 windows of 96, 16 in common; bytes by the largest'

/** Makes the fast checks: headers, sizes of the weights, vocabulary. */
export async function checkModel(folder = MODEL): Promise<Model> {
  const encoder = await checkWeights(folder, 'encoder')
  const reader = await checkWeights(folder, 'reader')
  const vocabulary = await vocabularyFile(folder)
  const program = await readEncoderProgram()
  const identity = [encoder, sha256(vocabulary), sha256(program), READING].join('\n')
  return { folder, sha256: { encoder, reader }, identity: sha256(Buffer.from(identity)).slice(0, 16) }
}

/** Resolves to the SHA-256 that the weights must have. */
async function checkWeights(folder: URL, name: WeightsName): Promise<string> {
  const sha256 = await readHeader(folder, name)
  const { size } = await present(stat(new URL(`${name}.bin`, folder)), `${name}.bin`)
  const expected = WEIGHTS[name].size
  if (size !== expected)
    throw new ModelError(`model/${name}.bin has ${size} bytes and not ${expected}: install again.`)
  return sha256
}

/** Reads the weights directly into the memory of the program, without a second copy. */
export async function readWeights(model: Model, name: WeightsName, into: Uint8Array): Promise<void> {
  const file = await present(open(new URL(`${name}.bin`, model.folder)), `${name}.bin`)
  try {
    for (let at = 0; at < into.length; ) {
      const { bytesRead } = await file.read(into, at, into.length - at, at)
      if (bytesRead === 0) throw new ModelError(`model/${name}.bin is too short: install again.`)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
  if (sha256(into) !== model.sha256[name])
    throw new ModelError(`model/${name}.bin is damaged: install again.`)
}

export async function readWordPieces(folder = MODEL): Promise<WordPieces> {
  const lines = (await vocabularyFile(folder)).toString('utf8').trimEnd().split('\n')
  if (lines.length !== WORDS)
    throw new ModelError(`model/vocab.txt has ${lines.length} word pieces and not ${WORDS}: install again.`)
  return new WordPieces(lines)
}

export function readEncoderProgram(): Promise<Buffer> {
  return readFile(new URL('encoder.wasm', PROGRAMS))
}

function vocabularyFile(folder: URL): Promise<Buffer> {
  return present(readFile(new URL('vocab.txt', folder)), 'vocab.txt')
}

/** Checks a header, and resolves to the SHA-256 that it states. */
async function readHeader(folder: URL, name: WeightsName): Promise<string> {
  const text = await present(readFile(new URL(`${name}.json`, folder), 'utf8'), `${name}.json`)
  let stated: ReadonlyMap<string, unknown>
  try {
    stated = new Map(Object.entries(JSON.parse(text)))
  } catch (cause) {
    throw new ModelError(`model/${name}.json is not the header of a model: install again.`, { cause })
  }
  const wrong = Object.entries(WEIGHTS[name].header).filter(([key, value]) => stated.get(key) !== value)
  const mistakes = wrong.map(([key, value]) => `${key} is not ${value}`)
  const sha256 = String(stated.get('sha256'))
  if (!/^[0-9a-f]{64}$/.test(sha256)) mistakes.push('sha256 is not a SHA-256')
  if (mistakes.length > 0) throw new ModelError(`model/${name}.json: ${mistakes.join('; ')}: install again.`)
  return sha256
}

async function present<T>(read: Promise<T>, name: string): Promise<T> {
  return read.catch((cause: unknown) => {
    throw new ModelError(`model/${name} cannot be read: install again.`, { cause })
  })
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

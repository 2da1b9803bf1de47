import { readFile } from 'node:fs/promises'
import { createLexicon, type Lexicon } from '../domain/lexicon/lexicon.js'

const FOLDER = new URL('../../lexicon/', import.meta.url)

/** The lexicon that comes with the package. */
export async function readLexicon(): Promise<Lexicon> {
  const [words, vectors, thesaurus] = await Promise.all([
    lines('words.txt'),
    bytes('vectors.bin'),
    lines('thesaurus.txt'),
  ])
  return createLexicon({
    words,
    vectors: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    thesaurus,
  })
}

function bytes(name: string): Promise<Buffer> {
  return readFile(new URL(name, FOLDER))
}

async function lines(name: string): Promise<string[]> {
  return (await bytes(name)).toString('utf8').trimEnd().split('\n')
}

import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadModels } from '../../../src/service/meaning/load-models.js'
import { checkModel, MODEL, ModelError } from '../../../src/service/meaning/model-files.js'
import { hasSimd } from '../../../src/service/meaning/program.js'

const FILES = ['encoder.bin', 'encoder.json', 'reader.bin', 'reader.json', 'vocab.txt']

let path: string
let folder: URL

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'loregraph-model-'))
  folder = pathToFileURL(`${path}/`)
  for (const name of FILES) await copyFile(new URL(name, MODEL), new URL(name, folder))
})

afterEach(() => rm(path, { recursive: true, force: true }))

describe('the model', () => {
  test('has one identity wherever it lies, and another with another vocabulary', async () => {
    const here = await checkModel()
    expect(await checkModel(folder)).toEqual({ ...here, folder })
    await writeFile(new URL('vocab.txt', folder), 'other')
    expect((await checkModel(folder)).identity).not.toBe(here.identity)
  })

  test.each(['encoder.bin', 'reader.bin'])('a short %s is refused at once', async (name) => {
    await truncate(new URL(name, folder), 1000)
    await expect(checkModel(folder)).rejects.toThrow(`${name} has 1000 bytes`)
  })

  test.each(['encoder.bin', 'reader.bin'])(
    'one changed byte in %s is refused when it is loaded',
    async (name) => {
      const weights = await readFile(new URL(name, folder))
      weights[1_000_000] = (weights[1_000_000] ?? 0) ^ 1
      await writeFile(new URL(name, folder), weights)
      await expect(loadModels(await checkModel(folder))).rejects.toThrow(`${name} is damaged`)
    },
  )

  test.each([
    ['is not JSON', '{'],
    ['is null', 'null'],
    ['layers is not 3', '{"layers": 4}'],
    ['lacks the rest', '{"layers": 3}'],
  ])('a header that %s is refused', async (_, text) => {
    for (const name of ['encoder.json', 'reader.json']) {
      const whole = await readFile(new URL(name, folder))
      await writeFile(new URL(name, folder), text)
      await expect(checkModel(folder)).rejects.toThrow(ModelError)
      await writeFile(new URL(name, folder), whole)
    }
  })

  test('a header of the encoder is none of the reader', async () => {
    await copyFile(new URL('encoder.json', MODEL), new URL('reader.json', folder))
    await expect(checkModel(folder)).rejects.toThrow('model/reader.json: layers is not 6')
  })

  test.each(FILES)('without %s it is refused', async (name) => {
    await rm(new URL(name, folder))
    await expect(checkModel(folder)).rejects.toThrow(`model/${name} cannot be read`)
  })

  test('a vocabulary of another length is refused', async () => {
    await writeFile(new URL('vocab.txt', folder), '[UNK]\n[CLS]\n[SEP]\n')
    await expect(loadModels(await checkModel(folder))).rejects.toThrow('has 3 word pieces')
  })
})

test('this machine runs WebAssembly with SIMD', () => expect(hasSimd()).toBe(true))

import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadEncoder } from '../../../src/service/meaning/load-encoder.js'
import { checkModel, MODEL, ModelError } from '../../../src/service/meaning/model-files.js'
import { hasSimd } from '../../../src/service/meaning/program.js'

let path: string
let folder: URL

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'loregraph-model-'))
  folder = pathToFileURL(`${path}/`)
  for (const name of ['encoder.bin', 'encoder.json', 'vocab.txt'])
    await copyFile(new URL(name, MODEL), new URL(name, folder))
})

afterEach(() => rm(path, { recursive: true, force: true }))

describe('the model', () => {
  test('has one identity wherever it lies, and another with another vocabulary', async () => {
    const here = await checkModel()
    expect(await checkModel(folder)).toEqual({ ...here, folder })
    await writeFile(new URL('vocab.txt', folder), 'other')
    expect((await checkModel(folder)).identity).not.toBe(here.identity)
  })

  test('short weights are refused at once', async () => {
    await truncate(new URL('encoder.bin', folder), 1000)
    await expect(checkModel(folder)).rejects.toThrow('encoder.bin has 1000 bytes')
  })

  test('one changed byte in the weights is refused when they are loaded', async () => {
    const weights = await readFile(new URL('encoder.bin', folder))
    weights[1_000_000] = (weights[1_000_000] ?? 0) ^ 1
    await writeFile(new URL('encoder.bin', folder), weights)
    await expect(loadEncoder(await checkModel(folder))).rejects.toThrow('damaged')
  })

  test.each([
    ['is not JSON', '{'],
    ['layers is not 3', '{"layers": 4}'],
    ['tensors are not those', '{"layers": 3, "tensors": [{}]}'],
  ])('a header that %s is refused', async (_, text) => {
    await writeFile(new URL('encoder.json', folder), text)
    await expect(checkModel(folder)).rejects.toThrow(ModelError)
  })

  test.each(['encoder.bin', 'encoder.json', 'vocab.txt'])('without %s it is refused', async (name) => {
    await rm(new URL(name, folder))
    await expect(checkModel(folder)).rejects.toThrow(`model/${name} cannot be read`)
  })

  test('a vocabulary of another length is refused', async () => {
    await writeFile(new URL('vocab.txt', folder), '[UNK]\n[CLS]\n[SEP]\n')
    await expect(loadEncoder(await checkModel(folder))).rejects.toThrow('has 3 word pieces')
  })
})

test('this machine runs WebAssembly with SIMD', () => expect(hasSimd()).toBe(true))

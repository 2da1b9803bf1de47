import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import type { Encoder } from '../../src/domain/meaning/encoder.js'
import { loadModels } from '../../src/service/meaning/load-models.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import type { Meaning } from '../../src/store/meaning.js'

const CACHE = '.cache/vectors.json'

/** Reads texts for meaning; what was read before is kept in a file, because reading takes longest. */
export interface KeptMeaning extends Meaning {
  keep(): Promise<void>
}

export async function keptMeaning(): Promise<KeptMeaning> {
  const model = await checkModel()
  const known = new Map<string, string>(await readCache())
  let encoder: Encoder | undefined
  const encode = async (text: string): Promise<Float32Array> => {
    const key = createHash('sha256').update(model.identity).update(text).digest('base64')
    const before = known.get(key)
    if (before !== undefined) return new Float32Array(Uint8Array.from(Buffer.from(before, 'base64')).buffer)
    encoder ??= (await loadModels(model)).encoder
    const vector = encoder.encode(text)
    known.set(key, Buffer.from(vector.buffer).toString('base64'))
    return vector
  }
  return {
    identity: model.identity,
    scan: new CodeScan(await loadScanProgram()),
    async encode(texts) {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await encode(text))
      return vectors
    },
    async keep() {
      await mkdir(dirname(CACHE), { recursive: true })
      await writeFile(CACHE, JSON.stringify([...known]))
    },
  }
}

async function readCache(): Promise<[string, string][]> {
  try {
    return JSON.parse(await readFile(CACHE, 'utf8'))
  } catch {
    return []
  }
}

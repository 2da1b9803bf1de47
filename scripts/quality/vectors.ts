import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AnswerReader } from '../../src/domain/insight/answer-reader.js'
import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import { loadModels } from '../../src/service/meaning/load-models.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import type { Meaning } from '../../src/store/meaning.js'

const CACHE = '.cache/quality.json'

/** Embeds texts and reads answers; what was read before is kept in a file, because reading takes longest. */
export interface KeptMeaning extends Meaning, AnswerReader {
  keep(): Promise<void>
}

export async function keptMeaning(): Promise<KeptMeaning> {
  const model = await checkModel()
  const known = new Map<string, string>(await readCache())
  let models: ReturnType<typeof loadModels> | undefined
  const load = () => {
    models ??= loadModels(model)
    return models
  }
  const once = async (asked: string, read: () => Promise<Float32Array>): Promise<Float32Array> => {
    const key = createHash('sha256').update(model.identity).update(asked).digest('base64')
    const before = known.get(key)
    if (before !== undefined) return new Float32Array(Uint8Array.from(Buffer.from(before, 'base64')).buffer)
    const numbers = await read()
    known.set(key, Buffer.from(numbers.buffer).toString('base64'))
    return numbers
  }
  return {
    identity: model.identity,
    scan: new CodeScan(await loadScanProgram()),
    async encode(texts) {
      const vectors: Float32Array[] = []
      for (const text of texts)
        vectors.push(await once(text, async () => (await load()).encoder.encode(text)))
      return vectors
    },
    async logitsOf(question, texts) {
      const logits: number[] = []
      for (const text of texts) {
        const [logit = 0] = await once(JSON.stringify([question, text]), async () =>
          Float32Array.of((await load()).reader.logitOf(question, text)),
        )
        logits.push(logit)
      }
      return logits
    },
    async keep() {
      await mkdir('.cache', { recursive: true })
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

import { readFileSync } from 'node:fs'
import { type Comparison, compareReadings } from '../../../src/domain/judgement/features.js'
import { likenessTo } from '../../../src/domain/judgement/likeness.js'
import { type Reading, readPayload } from '../../../src/domain/judgement/reading/reading.js'
import { memoryText } from '../../../src/domain/meaning/memory-text.js'
import { cosine as cosineOf, toBytes } from '../../../src/domain/meaning/nearness.js'
import type { JsonObject } from '../../../src/domain/model.js'
import type { Meaning } from '../../../src/store/meaning.js'

/** One memory of a case beside the new event. */
export interface Pair {
  readonly event: Reading
  readonly memory: Reading
  readonly wanted: boolean
  readonly cosine: number | undefined
  readonly comparison: Comparison
  readonly likeness: number
}

export interface Case {
  readonly id: string
  readonly link: 'contradicts' | 'reinforces' | 'extends'
  readonly pairs: readonly Pair[]
}

interface Labelled {
  readonly payload: JsonObject
}

interface LabelledCase {
  readonly id: string
  readonly context_id: string
  readonly link: Case['link']
  readonly memories: readonly (Labelled & { readonly key: string })[]
  readonly new: Labelled
  readonly bears_on: readonly string[]
}

/** With `meaning`, the cosines of the texts are known. */
export async function readCases(meaning?: Pick<Meaning, 'encode'>): Promise<Case[]> {
  const { cases } = readJson<{ cases: readonly LabelledCase[] }>('cases.json')
  const vectorOf = async (contextId: string, { payload }: Labelled) => {
    const [vector] = (await meaning?.encode([memoryText(contextId, payload)])) ?? []
    return vector && toBytes(vector)
  }
  return Promise.all(
    cases.map(async ({ id, context_id, link, memories, bears_on, new: added }) => {
      const event = readPayload(added.payload)
      const liken = likenessTo(event)
      const own = await vectorOf(context_id, added)
      const pairs = await Promise.all(
        memories.map(async (one) => {
          const memory = readPayload(one.payload)
          const other = await vectorOf(context_id, one)
          const cosine = own && other && cosineOf(own, other)
          const comparison = compareReadings(event, memory)
          const likeness = liken(memory, cosine)
          return { event, memory, wanted: bears_on.includes(one.key), cosine, comparison, likeness }
        }),
      )
      return { id, link, pairs }
    }),
  )
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T
}

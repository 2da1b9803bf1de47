import { readFileSync } from 'node:fs'
import { type Comparison, compareReadings } from '../../../src/domain/judgement/features.js'
import { likenessTo } from '../../../src/domain/judgement/likeness.js'
import { type Reading, readPayload } from '../../../src/domain/judgement/reading.js'
import type { Lexicon } from '../../../src/domain/lexicon/lexicon.js'
import type { JsonObject } from '../../../src/domain/model.js'

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

interface LabelledCase {
  readonly id: string
  readonly link: Case['link']
  readonly memories: readonly { readonly key: string; readonly payload: JsonObject }[]
  readonly new: { readonly payload: JsonObject }
  readonly bears_on: readonly string[]
}

/** By case and memory: the cosine of the encoder's vectors of the two texts (the payloads alone). */
type Cosines = Readonly<Record<string, Readonly<Record<string, number>>>>

export function readCases(lexicon: Lexicon, withMeaning: boolean): Case[] {
  const { cases } = readJson<{ cases: readonly LabelledCase[] }>('cases.json')
  const cosines = readJson<Cosines>('cosines.json')
  return cases.map(({ id, link, memories, bears_on, new: { payload } }) => {
    const event = readPayload(payload)
    const liken = likenessTo(event, lexicon)
    const pairs = memories.map(({ key, payload }) => {
      const memory = readPayload(payload)
      const cosine = withMeaning ? cosines[id]?.[key] : undefined
      const comparison = compareReadings(event, memory, cosine)
      const likeness = liken(memory, { cosine })
      return { event, memory, wanted: bears_on.includes(key), cosine, comparison, likeness }
    })
    return { id, link, pairs }
  })
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T
}

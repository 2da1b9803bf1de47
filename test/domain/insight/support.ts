import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { AnswerReader } from '../../../src/domain/insight/answer-reader.js'
import type { ConfidenceLevel } from '../../../src/domain/insight/confidence.js'
import {
  type Conclusion,
  conclude,
  type Question,
  type Recalled,
  recall,
  research,
} from '../../../src/domain/insight/engine.js'
import { MODELS, type Models } from '../../../src/domain/insight/models.js'
import type { EnginePorts } from '../../../src/domain/insight/ports.js'
import type { JsonObject, Memory, NewMemory } from '../../../src/domain/model.js'
import type { Knowledge } from '../../../src/domain/search/knowledge.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { type FileStore, openFileStore } from '../../../src/log/file-store.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { ask, at, createClock } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'

/** Half a character, which a text cut in the wrong place ends in. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** What answers by words alone. */
export const engine: EnginePorts = { texts: new TextCache() }

/** A conclusion with the reasons for its confidence. */
export interface Answer extends Omit<Conclusion, 'reasons'> {
  readonly reasons: readonly string[]
  readonly firstLine: string
}

/** With these every answer is high unless something forbids it, whatever was fitted. */
export const SURE: Models = { ...MODELS, thresholds: { high: 0, medium: 0, nothing: 0 } }
/** With these nothing answers. */
export const UNSURE: Models = { ...MODELS, thresholds: { high: 1, medium: 1, nothing: 1 } }

/** What may differ from one question to the next. */
export interface Asked extends Partial<Question> {
  /** Take the place of those that ship. */
  readonly models?: Models
  /** Takes the place of the reader that ships, or of none. */
  readonly reader?: AnswerReader
}

/** A graph of a real store. */
export interface Graph {
  readonly graphId: string
  /** The ids of its memories, in the order in which they were recorded. */
  readonly ids: readonly string[]
  /** Records more, and gives the ids. */
  record(...events: NewMemory[]): Promise<readonly string[]>
  ask(task: string, more?: Asked): Promise<Answer>
  recall(query: string, minConfidence?: ConfidenceLevel, more?: Asked): Promise<Recalled>
  memory(id: string): Promise<Memory>
}

/** Researches and concludes in one go, of the same moment. */
export async function insightOf(
  knowledge: Knowledge,
  ports: EnginePorts,
  question: Question,
): Promise<Conclusion> {
  return conclude(await research(knowledge, ports, question), ports, question)
}

/**
 * A real store in a folder of its own, for all tests of a file; each graph is a new one. With `isRead` memories and
 * questions are read by the encoder and the reader that ship.
 */
export function useGraphs({ isRead = false } = {}) {
  const folder = temporaryFolder()
  let store: FileStore | undefined
  let meaning: OpenMeaning | undefined
  let made = 0
  const { now } = createClock()
  const opened = (): FileStore => {
    if (store === undefined) throw new Error('The store is opened before the tests.')
    return store
  }
  const open = async () => {
    store = await openFileStore({ folder, now, randomBytes, log: SILENT, ...(meaning && { meaning }) })
  }
  beforeAll(async () => {
    if (isRead) meaning = await openMeaning('on', { log: SILENT })
    if (isRead && meaning === undefined) throw new Error('This machine cannot read for meaning.')
    await open()
  })
  afterAll(async () => {
    await store?.close()
    await meaning?.close()
  })
  const askedOf = async (text: string, { reader, models, ...more }: Asked) => {
    const shipped = meaning
    const logitsOf: AnswerReader['logitsOf'] = async (question, texts) => shipped?.logitsOf(question, texts)
    const own = reader ?? (shipped && { logitsOf })
    const vector = await meaning?.vectorOf(more.locusQuery ?? text)
    const ports: EnginePorts = { ...engine, ...(own && { reader: own }), ...(models && { models }) }
    return { ports, question: { task: text, limit: 5, ...(vector && { vector }), ...more } }
  }
  return {
    store: opened,
    async graphOf(...events: NewMemory[]): Promise<Graph> {
      const graphId = `g${made++}`
      const ids: string[] = []
      const gather = async (ports: EnginePorts, question: Question) => {
        await opened().caughtUp(graphId)
        return opened().read(graphId, (knowledge) => research(knowledge, ports, question))
      }
      const graph: Graph = {
        graphId,
        ids,
        async record(...more) {
          const receipts = await opened().append(graphId, more, at)
          const fresh = receipts.map(({ memoryId }) => memoryId)
          ids.push(...fresh)
          return fresh
        },
        async ask(task, more = {}) {
          const { ports, question } = await askedOf(task, more)
          const conclusion = await conclude(await gather(ports, question), ports, question)
          const [firstLine = ''] = conclusion.insight.split('\n')
          return { ...conclusion, reasons: conclusion.reasons(), firstLine }
        },
        async recall(query, minConfidence, more = {}) {
          const { ports, question } = await askedOf(query, more)
          return recall(await gather(ports, question), ports, question, minConfidence)
        },
        memory: (id) => ask(opened(), graphId).memory(id),
      }
      if (events.length > 0) await graph.record(...events)
      return graph
    },
    /** Closes the store and opens what it left behind. */
    async reopen(): Promise<void> {
      await opened().close()
      await open()
    },
  }
}

/** A memory made by hand, of which only what is given matters. */
export function memoryOf(payload: JsonObject, more: Partial<Memory> = {}): Memory {
  return {
    memoryId: 'mem_00000000000000000000000000',
    seq: 1,
    contextId: 'fact:general',
    eventKind: 'fact',
    source: 'agent',
    payload,
    text: Object.values(payload).join('; '),
    links: [],
    occurredAt: '2025-03-01T12:00:00.000Z',
    recordedAt: '2025-03-01T12:00:00.000Z',
    timesSeen: 1,
    trust: {
      confidence: 0.6,
      status: 'current',
      supersededBy: [],
      supersedes: [],
      disputedBy: [],
      lastStatedAt: '2025-01-01T00:00:00.000Z',
      agreement: 0,
    },
    ...more,
  }
}

/** The texts an answer rests on, in order. */
export function textsOf({ evidence }: Pick<Conclusion, 'evidence'>): string[] {
  return evidence.map(({ memory }) => memory.text)
}

export function roleOf(
  { evidence }: Pick<Conclusion, 'evidence'>,
  id: string | undefined,
): string | undefined {
  return evidence.find(({ memory }) => memory.memoryId === id)?.role
}

export function wordsIn(text: string): number {
  return text.trim().split(/\s+/u).length
}

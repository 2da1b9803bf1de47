import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import {
  type Conclusion,
  conclude,
  type EnginePorts,
  type Question,
} from '../../../src/domain/insight/engine.js'
import { toEntry } from '../../../src/domain/insight/entry.js'
import type { Pool } from '../../../src/domain/insight/pool.js'
import { analyse } from '../../../src/domain/insight/query.js'
import type { JsonObject, Memory, NewMemory } from '../../../src/domain/model.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { type JsonStore, openJsonStore } from '../../../src/store/json/store.js'
import { ask, at, createClock } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'

/** Half a character, which a text cut in the wrong place ends in. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

export const engine: EnginePorts = { texts: new TextCache() }

/** A conclusion with the reasons for its confidence. */
export interface Answer extends Omit<Conclusion, 'reasons'> {
  readonly reasons: readonly string[]
}

/** A graph of a real store. */
export interface Graph {
  readonly graphId: string
  /** The ids of its memories, in the order in which they were recorded. */
  readonly ids: readonly string[]
  /** Records more, and gives the ids. */
  record(...events: NewMemory[]): Promise<readonly string[]>
  ask(task: string, more?: Partial<Question>): Promise<Answer>
  memory(id: string): Promise<Memory>
}

/** A real store in a folder of its own, for all tests of a file; each graph is a new one. */
export function useGraphs() {
  const folder = temporaryFolder()
  let store: JsonStore | undefined
  let made = 0
  const { now } = createClock()
  const opened = (): JsonStore => {
    if (store === undefined) throw new Error('The store is opened before the tests.')
    return store
  }
  const open = async () => {
    store = await openJsonStore({ folder, now, randomBytes, log: SILENT })
  }
  beforeAll(open)
  afterAll(() => store?.close())
  return {
    store: opened,
    async graphOf(...events: NewMemory[]): Promise<Graph> {
      const graphId = `g${made++}`
      const ids: string[] = []
      const graph: Graph = {
        graphId,
        ids,
        async record(...more) {
          const receipts = await opened().append(graphId, more, at)
          const fresh = receipts.map(({ memoryId }) => memoryId)
          ids.push(...fresh)
          return fresh
        },
        async ask(task, more) {
          const ports = engine
          const conclusion = await opened().read(graphId, (knowledge) =>
            conclude(knowledge, ports, { task, limit: 5, ...more }),
          )
          return { ...conclusion, reasons: conclusion.reasons() }
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

/** What was found for a question, made by hand: every stem tells alike. */
export function poolOf(question: string, memories: readonly Memory[]): Pool {
  const texts = new TextCache()
  const query = analyse(question, texts)
  return {
    query,
    entries: memories.map((memory) => toEntry(memory, texts)),
    firsts: new Map(),
    foundBy: new Map(),
    isRead: false,
    inOtherWords: 0,
    weight: () => 1,
    expansion: new Map(),
    feedback: new Set(),
    retrieved: { found: [], idf: new Map(), averageLength: 1, memoryCount: memories.length, newestAt: '' },
    unread: 0,
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

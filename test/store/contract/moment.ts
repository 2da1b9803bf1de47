import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.js'
import { conclude, recall, research } from '../../../src/domain/insight/engine.js'
import type { EnginePorts } from '../../../src/domain/insight/ports.js'
import type { Memory, NewMemory } from '../../../src/domain/model.js'
import type { Pause } from '../../../src/domain/search/knowledge.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import type { Ask, GraphReader, Store } from '../../../src/store/store.js'
import { runsOf } from '../../support/runs.js'
import { at, contradicts, event, extending, FIRST, type OpenBench } from '../support.js'
import { useStore } from './bench.js'

/** How often the graph is changed under the reads; `MOMENT_ROUNDS=2000` is the long form. */
const ROUNDS = runsOf({ quick: 12, full: 60 }, 'MOMENT_ROUNDS')
const ENGINE = { texts: new TextCache() }
const NOTES = 'skill:keys'
const MORE_THAN_A_SLICE_MS = 5

/** Each asks several questions of one reader, and expects the answers to be of one moment. */
const READS: Readonly<Record<string, Ask<GraphReader, void>>> = {
  async insight(graph) {
    const { evidence } = await insightOf(graph, ENGINE)
    expect(evidence).not.toEqual([])
    for (const { memory } of evidence) await expectStillThere(graph, memory)
  },
  async 'insight that pauses'(graph, pause) {
    const { evidence } = await insightOf(graph, { ...ENGINE, pause: afterWork(pause, 8) })
    for (const { memory } of evidence) await expectStillThere(graph, memory)
  },
  async recall(graph) {
    const question = { task: 'rotate the signing keys', limit: 8 }
    const { ranked } = await recall(await research(graph, ENGINE, question), ENGINE, question)
    expect(ranked).not.toEqual([])
    for (const { memory } of ranked) await expectStillThere(graph, memory)
  },
  async 'page of a context'(graph) {
    const { memoryCount } = graph.context(NOTES)
    const { total, items } = graph.contextMemories(NOTES, FIRST)
    expect([total, items.length]).toEqual([memoryCount, memoryCount])
  },
}

async function insightOf(graph: GraphReader, ports: EnginePorts) {
  const question = { task: 'how often are the signing keys rotated', limit: 5 }
  return conclude(await research(graph, ports, question), ports, question)
}

/** A slice of work before each of so many pauses, so that it is one. */
function afterWork(pause: Pause, each = 1): Pause {
  let pauses = 0
  return () => {
    const until = performance.now() + (pauses++ % each === 0 ? MORE_THAN_A_SLICE_MS : 0)
    while (performance.now() < until);
    return pause()
  }
}

/** As it was found, and with the other of its pair: both are recorded at once and erased at once. */
async function expectStillThere(graph: GraphReader, memory: Memory): Promise<void> {
  expect(graph.memory(memory.memoryId)).toEqual(memory)
  if (memory.contextId !== NOTES)
    expect(graph.contextMemories(memory.contextId, FIRST)).toMatchObject({ total: 2 })
}

export function momentContract(open: OpenBench): void {
  describe('a read while the graph is recorded to and erased from', () => {
    const bench = useStore(open)

    test('lets others have their turn when it pauses, and is of one moment nevertheless', async () => {
      const { store } = bench
      await store.append('g', pair(0), at)
      let recorded: Promise<unknown> | undefined
      let isRecorded = false
      const places = await store.read('g', async (graph, pause) => {
        const before = graph.lastPlace()
        if (recorded === undefined) {
          recorded = store.append('g', pair(1), at).then(() => {
            isRecorded = true
          })
          const longPause = afterWork(pause)
          while (!isRecorded) await longPause()
        }
        return [before, graph.lastPlace()]
      })
      await recorded
      expect(places[1]).toBe(places[0])
      await expect(store.read('g', async (graph) => graph.lastPlace())).resolves.toBe(6)
    })

    test(
      `is of one moment, and finds nothing missing but the whole graph, ${ROUNDS} changes`,
      async () => {
        const { store } = bench
        await store.append('g', pair(0), at)
        let isChanging = true
        const reading = Object.entries(READS).map(async ([name, ask]) => {
          let answers = 0
          while (isChanging) {
            answers += await store.read('g', ask).then(() => 1, unlessGraphIsMissing)
            // A store in memory answers without I/O: the writer has to have its turn.
            await setTimeout(5)
          }
          return [name, answers] as const
        })
        const changing = change(store).finally(() => {
          isChanging = false
        })
        const [answers] = await Promise.all([Promise.all(reading), changing])
        for (const [name, count] of answers) expect(count, name).toBeGreaterThan(ROUNDS / 20)
      },
      60_000 + ROUNDS * 500,
    )
  })
}

/** Every third change erases: a pair, a note on a pair, now and then the whole graph. The last pair always stays. */
async function change(store: Store): Promise<void> {
  let pairs: { readonly contextId: string; readonly note: string }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const oldest = round % 3 === 0 && pairs.length > 1 ? pairs.shift() : undefined
    if (round % 25 === 0) {
      await store.erase('g', { everything: true }, { dryRun: false })
      pairs = []
    }
    if (oldest === undefined || round % 25 === 0) {
      const [{ contextId } = { contextId: '' }, , note] = await store.append('g', pair(round), at)
      pairs.push({ contextId, note: note?.memoryId ?? '' })
    } else {
      const what = round % 2 === 0 ? { memoryId: oldest.note } : { contextId: oldest.contextId }
      await store.erase('g', what, { dryRun: false })
    }
  }
}

/** Two memories of a context of their own, and a note on them. */
function pair(number: number): NewMemory[] {
  const contextId = `pair:${number}`
  return [
    event(contextId, `Rotate the signing keys every ${number} days`),
    event(contextId, `Signing keys number ${number} are never rotated`, contradicts(contextId)),
    event(NOTES, `Note ${number}: rotation of signing keys`, extending(contextId)),
  ]
}

function unlessGraphIsMissing(error: unknown): 0 {
  if (error instanceof Failure && error.code === 'graph_not_found') return 0
  throw error
}

import { expect } from 'vitest'
import type { Files } from '../../../src/log/file/disk/files.js'
import { type FileStore, type FileStoreOptions, openFileStore } from '../../../src/log/file-store.js'
import type { Store } from '../../../src/store/store.js'
import { ask, at, createClock, event, everything, FIRST } from '../../store/support.js'
import { createRandom } from '../../support/random.js'
import { SILENT } from '../../support/silent.js'

export const FOLDER = '/data'
export const GRAPHS = ['one', 'two'] as const

/** A store on a disk in memory, with everything about it fixed. */
export function openOn(files: Files, more: Partial<FileStoreOptions> = {}): Promise<FileStore> {
  const random = createRandom(7)
  return openFileStore({
    folder: FOLDER,
    now: createClock().now,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => 256 * random()),
    log: SILENT,
    compactBytes: 6000,
    files,
    lock: async () => ({ isHeld: () => true, release: async () => undefined }),
    ...more,
  })
}

/** How many appends to each graph were sent and answered so far. */
export interface Progress {
  readonly sent: Map<string, number>
  readonly acknowledged: Map<string, number>
  readonly refused: Map<string, Set<number>>
}

export function createProgress(): Progress {
  return { sent: new Map(), acknowledged: new Map(), refused: new Map() }
}

const SIZES = [1, 3, 1, 1, 12, 1, 2, 1]

/** Writes to two graphs, alone and in company, small and large, past a fold. Refusals are noted and passed over. */
export async function play(store: Store, progress: Progress, rounds: number): Promise<void> {
  const send = async (graph: string) => {
    const number = progress.sent.get(graph) ?? 0
    progress.sent.set(graph, number + 1)
    try {
      await store.append(graph, appendOf(number), at)
      progress.acknowledged.set(graph, number + 1)
    } catch {
      progress.refused.set(graph, (progress.refused.get(graph) ?? new Set()).add(number))
    }
  }
  for (let round = 0; round < rounds; round++) {
    await send('one')
    if (round % 3 === 1) await send('two')
    if (round % 4 === 3) await Promise.all([send('one'), send('two'), send('one'), send('one')])
  }
}

/** The events of the append with that number. */
function appendOf(number: number) {
  const size = SIZES[number % SIZES.length] ?? 1
  return Array.from({ length: size }, (_, i) =>
    event(
      `skill:${'abc'.charAt((number + i) % 3)}`,
      `append ${number} event ${i} of ${size} ${'x'.repeat(90)}`,
      {
        links: i === 1 ? [{ kind: 'extension', target: 'skill:a' }] : [],
      },
    ),
  )
}

/** The numbers of the appends that a graph holds, in order of recording; fails when one of them is not whole. */
export async function appendsIn(store: Store, graph: string): Promise<number[]> {
  const { contexts } = await everything(store, graph).catch(() => ({ contexts: [] }))
  const memories: { memoryId: string; text: string }[] = []
  for (const { items } of contexts)
    for (const { contextId } of items)
      memories.push(
        ...(await ask(store, graph).contextMemories(contextId, { ...FIRST, pageSize: 10_000 })).items,
      )
  memories.sort((a, b) => (a.memoryId < b.memoryId ? -1 : 1))
  const found: number[] = []
  for (let i = 0; i < memories.length; ) {
    const [, number = '', size = ''] = /^append (\d+) event 0 of (\d+)/.exec(memories[i]?.text ?? '') ?? []
    for (let j = 0; j < Number(size); j++)
      expect(memories[i + j]?.text).toMatch(new RegExp(`^append ${number} event ${j} of ${size} `))
    expect(size).not.toBe('')
    found.push(Number(number))
    i += Number(size)
  }
  return found
}

/** All that was acknowledged is there, nothing twice, nothing in part, nothing out of order. */
export async function expectKept(store: Store, progress: Progress): Promise<void> {
  for (const graph of GRAPHS) {
    const found = await appendsIn(store, graph)
    const refused = progress.refused.get(graph) ?? new Set()
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
    const missing = Array.from({ length: progress.acknowledged.get(graph) ?? 0 }, (_, i) => i).filter(
      (number) => !found.includes(number) && !refused.has(number),
    )
    expect(missing).toEqual([])
    expect(found.length).toBeLessThanOrEqual(progress.sent.get(graph) ?? 0)
  }
}

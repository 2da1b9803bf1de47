import { expect } from 'vitest'
import type { Erased } from '../../../src/graph/records.js'
import type { Entry } from '../../../src/log/entries.js'
import type { Files } from '../../../src/log/file/disk/files.js'
import { type FileLog, type FileLogOptions, openFileLog } from '../../../src/log/file/file-log.js'
import type { GraphLog, Head } from '../../../src/log/graph-log.js'
import { entry, idOf } from '../../log/graph-log.suite.js'
import { createRandom } from '../../support/random.js'
import { SILENT } from '../../support/silent.js'

export const FOLDER = '/data'

/** A log on a disk in memory, with everything about it fixed. */
export function openLogOn(files: Files, more: Partial<FileLogOptions> = {}): Promise<FileLog> {
  const random = createRandom(7)
  return openFileLog({
    folder: FOLDER,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => 256 * random()),
    log: SILENT,
    compactBytes: 3000,
    files,
    lock: async () => ({ isHeld: () => true, release: async () => undefined }),
    isLocked: async () => false,
    ...more,
  })
}

/** The texts of a graph that were acknowledged, that may be there as well, and that were erased for certain. */
export interface Ledger {
  readonly kept: Map<string, readonly string[]>
  readonly maybe: Map<string, readonly string[]>
  readonly erased: Set<string>
}

export function createLedger(): Ledger {
  return { kept: new Map(), maybe: new Map(), erased: new Set() }
}

export function copyOf({ kept, maybe, erased }: Ledger): Ledger {
  return { kept: new Map(kept), maybe: new Map(maybe), erased: new Set(erased) }
}

/** Appends, erases, replaces and removes; what fails is noted and passed over. */
export async function play(log: FileLog, ledger: Ledger, rounds: number): Promise<void> {
  const attempt = async (graph: string, wanted: readonly string[], change: () => Promise<unknown>) => {
    if (!log.health().writable) return
    ledger.maybe.set(graph, wanted)
    try {
      await change()
      ledger.kept.set(graph, wanted)
    } catch {
      // After a flush that failed nobody knows what is on the disk, and nothing more is written.
      if (!log.health().writable) return
      // What a failed call left is asked for.
      const left = await textsIn(log, graph).catch(() => undefined)
      if (left === undefined) return
      const before = ledger.kept.get(graph) ?? []
      expect([before.join(), wanted.join()]).toContain(left.join())
      ledger.kept.set(graph, left)
    }
    ledger.maybe.delete(graph)
  }
  for (let round = 0; round < rounds; round++) {
    const graph = round % 3 === 2 ? 'two' : 'one'
    const head = await log.head(graph).catch(() => undefined)
    const position = (head?.position ?? 0) + 1
    const before = ledger.kept.get(graph) ?? []
    const texts = Array.from({ length: 1 + (round % 3) }, (_, i) => `text ${round}.${i} ${'x'.repeat(150)}`)
    await attempt(graph, [...before, ...texts], () => log.append(graph, head, [entry(position, ...texts)]))
    if (round % 5 === 4) {
      const now = await log.head(graph).catch(() => undefined)
      const [first] = ledger.kept.get(graph) ?? []
      const victim = (await entriesIn(log, graph).catch(() => [])).find(({ records }) => records.length > 0)
      if (now !== undefined && victim !== undefined && first !== undefined) {
        const gone = textsOf([victim])
        const left = (ledger.kept.get(graph) ?? []).filter((text) => !gone.includes(text))
        await attempt(graph, left, async () => {
          await log.erase(graph, now, erasing(now, victim))
          for (const text of gone) ledger.erased.add(text)
        })
      }
    }
    if (round % 7 === 6) {
      const now = await log.head('three').catch(() => undefined)
      const replaced = [`replaced ${round}`]
      const source = (async function* () {
        yield [entry(1, ...replaced)]
      })()
      await attempt('three', replaced, () => log.replace('three', now, source))
    }
    if (round % 8 === 7) {
      const now = await log.head('two').catch(() => undefined)
      if (now !== undefined) await attempt('two', [], () => log.remove('two', now))
    }
  }
}

export function erasing(head: Head, victim: Entry) {
  const seq = head.position + 1
  const last = victim.position + victim.count - 1
  const removed = [[victim.position, last]] as const
  const record: Erased = { op: 'erased', seq, recordedAt: '2025-01-01T00:00:00.000Z', removed }
  return {
    changed: [{ ...victim, records: [] }],
    erased: { position: seq, count: 1, records: [record] },
    memoryIds: new Set([idOf(victim.position)]),
  }
}

/** All that was acknowledged is there in order, and nothing else; what was erased is nowhere. */
export async function expectKept(log: GraphLog, { kept, maybe }: Ledger): Promise<void> {
  for (const graph of ['one', 'two', 'three']) {
    const found = (await textsIn(log, graph)).join()
    const allowed = [kept.get(graph) ?? [], ...(maybe.has(graph) ? [maybe.get(graph) ?? []] : [])]
    expect(allowed.map((texts) => texts.join())).toContain(found)
  }
}

export async function entriesIn(log: GraphLog, graph: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const some of log.read(graph, undefined)) entries.push(...some)
  return entries
}

export async function textsIn(log: GraphLog, graph: string): Promise<string[]> {
  return textsOf(await entriesIn(log, graph))
}

function textsOf(entries: readonly Entry[]): string[] {
  return entries
    .flatMap(({ records }) => records)
    .flatMap((record) => (record.op === 'recorded' ? String(record.payload['text']) : []))
}

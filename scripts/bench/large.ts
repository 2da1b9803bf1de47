import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { createEvents } from './data.js'
import { open } from './graphs.js'
import { promised, type Row, timingOf } from './measure.js'
import { GRAPH } from './service.js'

interface Opened {
  readonly openMs: number
  readonly residentMb: number
  readonly heapBytes: number
  /** How long the event loop was held while the graph opened. */
  readonly held: { readonly p99: number; readonly worst: number }
}

interface Used {
  /** While the journal was compacted under load. */
  readonly heldWhileCompacting: number
  readonly compactions: number
  readonly eraseMs: number
  /** The longest that a read waited while a memory was erased. */
  readonly readMs: number
}

interface Promised {
  readonly openMs: number
  readonly residentMb?: number
  readonly p99?: number
  readonly worst?: number
}

const ROUNDS = 3
const PROMISED_POSTGRES = new Map<number, Promised>([
  [200_000, { openMs: 8000 }],
  [1_000_000, { openMs: 40_000 }],
])
const BATCH = 1000
const WORST_READ_MS = 100
const WORST_COMPACTING_MS = 50
const PROMISED = new Map<number, Promised>([
  [200_000, { openMs: 5000, p99: 50 }],
  [1_000_000, { openMs: 25_000, residentMb: 2200, worst: 250 }],
])

/** A large graph: what opening takes, and how long others wait while it opens, is compacted and is erased from. */
export async function benchLarge(sizes: readonly number[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await onFiles(size)), ...(await onPostgres(size)))
  return rows
}

async function onFiles(memories: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  try {
    // Nothing is compacted yet, so that the first write has all of it compacted.
    await fillLarge(folder, memories, Number.POSITIVE_INFINITY)
    const opened = await openRounds(folder)
    const used: Used = await inProcess('use', folder)
    return [
      ...openRows(`files, ${subjectOf(memories)}`, memories, opened, PROMISED.get(memories)),
      ...useRows(memories, used),
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function onPostgres(memories: number): Promise<Row[]> {
  const server = await PostgresServer.create(['shared_buffers=1GB', 'max_wal_size=4GB'])
  try {
    await fillLarge(server.url(), memories)
    const opened = await openRounds(server.url())
    return openRows(`PostgreSQL, ${subjectOf(memories)}`, memories, opened, PROMISED_POSTGRES.get(memories))
  } finally {
    await server.remove()
  }
}

/** Links that relate, since those that build on something are compared with it, which takes long for made-up words. */
async function fillLarge(where: string, memories: number, compactBytes?: number): Promise<void> {
  const store = await open(where, compactBytes === undefined ? {} : { compactBytes })
  const eventAt = createEvents(1)
  const next = (index: number) => {
    const event = eventAt(index)
    return { ...event, links: event.links.map(({ target }) => ({ kind: 'related-to' as const, target })) }
  }
  for (let from = 0; from < memories; from += BATCH)
    await store.append(
      GRAPH,
      Array.from({ length: BATCH }, (_, i) => next(from + i)),
      String,
    )
  await store.close()
}

async function openRounds(where: string): Promise<Opened[]> {
  const opened: Opened[] = []
  for (let round = 0; round < ROUNDS; round++) opened.push(await inProcess('open', where))
  return opened
}

function openRows(
  subject: string,
  memories: number,
  opened: readonly Opened[],
  most: Promised | undefined,
): Row[] {
  const of = (pick: (result: Opened) => number) => timingOf(opened.map(pick)).p50
  const row = (what: string, value: number, unit: string, limit: number | undefined) =>
    limit === undefined
      ? { what, subject, value, unit }
      : promised({ what, subject, value, unit }, `≤ ${limit}`, value <= limit)
  return [
    row(
      'open',
      of(({ openMs }) => openMs),
      'ms',
      most?.openMs,
    ),
    row(
      'resident',
      of(({ residentMb }) => residentMb),
      'MB',
      most?.residentMb,
    ),
    row(
      'heap of a memory',
      of(({ heapBytes }) => heapBytes / memories),
      'bytes',
      undefined,
    ),
    row(
      'event loop held while opening, p99',
      of(({ held }) => held.p99),
      'ms',
      most?.p99,
    ),
    row(
      'event loop held while opening, worst',
      Math.max(...opened.map(({ held }) => held.worst)),
      'ms',
      most?.worst,
    ),
  ]
}

function useRows(memories: number, { heldWhileCompacting, compactions, eraseMs, readMs }: Used): Row[] {
  const subject = `files, ${subjectOf(memories)}`
  const compacting = { what: 'event loop held while compacting, worst', subject, unit: 'ms' }
  const reading = { what: 'longest read while a memory is erased', subject, unit: 'ms' }
  return [
    promised(
      { ...compacting, value: heldWhileCompacting },
      `≤ ${WORST_COMPACTING_MS}`,
      heldWhileCompacting <= WORST_COMPACTING_MS,
    ),
    { what: 'compactions', subject, value: compactions, unit: '' },
    { what: 'erase a memory', subject, value: eraseMs, unit: 'ms' },
    promised({ ...reading, value: readMs }, `≤ ${WORST_READ_MS}`, readMs <= WORST_READ_MS),
  ]
}

const subjectOf = (memories: number) => `${memories.toLocaleString('en')} memories`

/** In a process of its own, so that nothing is warm and memory is that of one graph. */
async function inProcess<T>(job: keyof typeof JOBS, folder: string): Promise<T> {
  const child = fork(fileURLToPath(import.meta.url), [job, folder], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const ended = once(child, 'exit')
  const [result] = await Promise.race([
    once(child, 'message'),
    ended.then(([code, signal]) => {
      throw new Error(`${job} ended with ${signal ?? code}.`)
    }),
  ])
  await ended
  return result
}

async function openOnce(folder: string): Promise<Opened> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  const store = await open(folder)
  delay.enable()
  await untilOpen(store)
  delay.disable()
  const openMs = performance.now() - start
  const residentMb = process.memoryUsage().rss / 1e6
  globalThis.gc?.()
  const heapBytes = process.memoryUsage().heapUsed - before
  await store.close()
  return {
    openMs,
    residentMb,
    heapBytes,
    held: { p99: delay.percentile(99) / 1e6, worst: delay.max / 1e6 },
  }
}

type Store = Awaited<ReturnType<typeof open>>

/** A question waits some seconds for a graph to open, and is then told to ask again. */
async function untilOpen(store: Store): Promise<void> {
  for (;;)
    try {
      return await store.read(GRAPH, async () => undefined)
    } catch (error) {
      // The failures of the build are of a class of its own.
      if (!(error instanceof Error && 'code' in error && error.code === 'storage_unavailable')) throw error
    }
}

/** Writes to the graph until it has been compacted, then erases a memory while it is read from. */
async function use(folder: string): Promise<Used> {
  let compactions = 0
  const store = await open(folder, { onCompaction: () => compactions++ })
  await untilOpen(store)
  const eventAt = createEvents(100)
  const list = () =>
    store.read(GRAPH, async (graph) => graph.contextsOfType('skill', { page: 3, pageSize: 20 }))
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const until = performance.now() + 20_000
  let writes = 0
  let newest = ''
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (compactions === 0 && performance.now() < until) {
        const [receipt] = await store.append(GRAPH, [eventAt(1_000_000 + writes++)], String)
        newest = receipt?.memoryId ?? newest
        await list()
      }
    }),
  )
  delay.disable()
  if (compactions === 0) throw new Error('Nothing was compacted: there is nothing to measure.')
  let readMs = 0
  let isErased = false
  const start = performance.now()
  const erasing = store.erase(GRAPH, { memoryId: newest }, { dryRun: false }).finally(() => {
    isErased = true
  })
  while (!isErased) {
    const asked = performance.now()
    await list()
    readMs = Math.max(readMs, performance.now() - asked)
    await new Promise(setImmediate)
  }
  await erasing
  const eraseMs = performance.now() - start
  await store.close()
  return { heldWhileCompacting: delay.max / 1e6, compactions, eraseMs, readMs }
}

const JOBS = { open: openOnce, use }

const [, script, job, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  process.send?.(await JOBS[job as keyof typeof JOBS](folder))
  process.disconnect()
}

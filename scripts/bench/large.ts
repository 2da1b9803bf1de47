import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { createEvents } from './data.js'
import { fill, open } from './graphs.js'
import { atMost, median, type Row } from './measure.js'
import { GRAPH } from './service.js'

interface Opened {
  readonly openMs: number
  readonly residentMb: number
  readonly heapBytes: number
  /** How long the event loop was held while the graph opened. */
  readonly heldP99Ms: number
  readonly heldMs: number
}

interface Used {
  /** The longest that the event loop was held while the journal was compacted under load. */
  readonly heldMs: number
  readonly compactions: number
  readonly eraseMs: number
  /** The longest that a read waited while a memory was erased. */
  readonly readMs: number
}

const ROUNDS = 3
const MAX_READ_MS = 100
const MAX_COMPACTING_MS = 50
/** What is promised of opening so many memories. */
const MAX: Readonly<Record<string, Partial<Opened>>> = {
  'files, 200,000 memories': { openMs: 5000, heldP99Ms: 50 },
  'files, 1,000,000 memories': { openMs: 25_000, residentMb: 2200, heldMs: 250 },
  'PostgreSQL, 200,000 memories': { openMs: 8000 },
  'PostgreSQL, 1,000,000 memories': { openMs: 40_000 },
}

/** A large graph: what opening takes, and how long others wait while it opens, is compacted and is erased from. */
export async function benchLarge(sizes: readonly number[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await onFiles(size)), ...(await onPostgres(size)))
  return rows
}

async function onFiles(memories: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const subject = `files, ${memories.toLocaleString('en')} memories`
  try {
    // Nothing is compacted yet, so that the first write has all of it compacted.
    await fillLarge(folder, memories, Number.POSITIVE_INFINITY)
    const rows = await openRows(subject, folder, memories)
    const { heldMs, compactions, eraseMs, readMs }: Used = await inProcess('use', folder)
    const row = (what: string, value: number, unit = 'ms') => ({ what, subject, value, unit })
    return [
      ...rows,
      atMost(row('event loop held while compacting, worst', heldMs), MAX_COMPACTING_MS),
      row('compactions', compactions, ''),
      row('erase a memory', eraseMs),
      atMost(row('longest read while a memory is erased', readMs), MAX_READ_MS),
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function onPostgres(memories: number): Promise<Row[]> {
  const server = await PostgresServer.create(['shared_buffers=1GB', 'max_wal_size=4GB'])
  try {
    await fillLarge(server.url(), memories)
    return await openRows(`PostgreSQL, ${memories.toLocaleString('en')} memories`, server.url(), memories)
  } finally {
    await server.remove()
  }
}

/** Links that relate, since those that build on something are compared with it, which takes long for made-up words. */
async function fillLarge(where: string, memories: number, compactBytes?: number): Promise<void> {
  const store = await open(where, compactBytes === undefined ? {} : { compactBytes })
  const eventAt = createEvents(1)
  let index = 0
  const next = () => {
    const event = eventAt(index++)
    return { ...event, links: event.links.map(({ target }) => ({ kind: 'related-to' as const, target })) }
  }
  await fill(store, next, memories)
  await store.close()
}

async function openRows(subject: string, where: string, memories: number): Promise<Row[]> {
  const rounds: Opened[] = []
  while (rounds.length < ROUNDS) rounds.push(await inProcess('open', where))
  const usual = (figure: keyof Opened) => median(rounds.map((opened) => opened[figure]))
  const row = (what: string, value: number, unit = 'ms') => ({ what, subject, value, unit })
  const { openMs, residentMb, heldP99Ms, heldMs } = MAX[subject] ?? {}
  return [
    atMost(row('open', usual('openMs')), openMs),
    atMost(row('resident', usual('residentMb'), 'MB'), residentMb),
    row('heap of a memory', usual('heapBytes') / memories, 'bytes'),
    atMost(row('event loop held while opening, p99', usual('heldP99Ms')), heldP99Ms),
    atMost(
      row('event loop held while opening, worst', Math.max(...rounds.map((opened) => opened.heldMs))),
      heldMs,
    ),
  ]
}

/** In a process of its own, so that nothing is warm and memory is that of one graph. */
async function inProcess<T>(job: keyof typeof JOBS, where: string): Promise<T> {
  const child = fork(fileURLToPath(import.meta.url), [job, where], {
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

async function openOnce(where: string): Promise<Opened> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  const store = await open(where)
  delay.enable()
  await untilOpen(store)
  delay.disable()
  const openMs = performance.now() - start
  const residentMb = process.memoryUsage().rss / 1e6
  globalThis.gc?.()
  const heapBytes = process.memoryUsage().heapUsed - before
  await store.close()
  return { openMs, residentMb, heapBytes, heldP99Ms: delay.percentile(99) / 1e6, heldMs: delay.max / 1e6 }
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
  return { heldMs: delay.max / 1e6, compactions, eraseMs, readMs }
}

const JOBS = { open: openOnce, use }

const [, script, job, where] = process.argv
if (script === fileURLToPath(import.meta.url) && where !== undefined) {
  process.send?.(await JOBS[job as keyof typeof JOBS](where))
  process.disconnect()
}

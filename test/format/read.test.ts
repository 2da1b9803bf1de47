import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { encodeExport } from '../../src/domain/transfer/encode.js'
import { openFileStore } from '../../src/log/file-store.js'
import type { Store } from '../../src/store/store.js'
import { at, contradicts, createClock, event, extending, record, reinforces } from '../store/support.js'
import { temporaryFolder } from '../support/folder.js'
import { SILENT } from '../support/silent.js'

const READER = new URL('read.py', import.meta.url).pathname
const GRAPH = 'Büro/1'
const folder = () => temporaryFolder()

async function open(data: string, compactBytes = 1_000_000) {
  const { now } = createClock()
  return openFileStore({ folder: data, log: SILENT, randomBytes, now, compactBytes })
}

/** Events of every kind: links, decisions, repeats, dates, numbers and text of many sorts. */
async function fill(store: Store): Promise<void> {
  const first = await record(store, GRAPH, event('decision:runner', 'We use Jest.'))
  await record(store, GRAPH, event('decision:runner', 'We use Vitest.', contradicts(first.memoryId)))
  await record(store, GRAPH, event('decision:runner', 'Jest mocks are hoisted.', extending(first.memoryId)))
  await record(
    store,
    GRAPH,
    event('fact:price', 'It costs 18.50.', { occurredAt: '2024-01-01T00:00:00.000Z' }),
  )
  await record(store, GRAPH, event('fact:price', 'It costs 18.50.', { source: 'validator' }))
  await record(store, GRAPH, event('fact:price', 'It does.', reinforces('fact:price')))
  const dish = { dish: 'Soup', 'price / ~%(€)': 6, 'né!': 1, allergens: ['celery'] }
  const soup = await record(store, GRAPH, { ...event('menu:soup', ''), payload: dish })
  const field = (name: string) => ({ kind: 'contradiction' as const, target: soup.memoryId, field: name })
  await record(store, GRAPH, {
    ...event('menu:soup', '', { links: [field('price / ~%(€)'), field('né!')] }),
    payload: { 'price / ~%(€)': 7, 'né!': 2 },
  })
  await record(store, GRAPH, event('menu:soup', 'It is cheap.', contradicts('menu:soup')))
  const odd = {
    text: '\u2028 "quoted" \\ \u0007 🦊 \ud800',
    n: [1e21, 1e-7, -0.5, 0.1],
    deep: { a: [null, true] },
  }
  await record(store, GRAPH, {
    ...event('fact:odd', ''),
    payload: odd,
    validUntil: '2030-01-01T00:00:00.000Z',
  })
  const many = Array.from({ length: 20 }, (_, i) => event(`note:${i % 3}`, `note ${i} ${'x'.repeat(100)}`))
  await store.append(GRAPH, many, at, { key: 'a'.repeat(64), body: 'b'.repeat(64) })
}

async function exportOf(store: Store): Promise<string> {
  const { latestAt = new Date(0).toISOString(), events } = await store.exportGraph(GRAPH)
  let text = ''
  const graph = { graphId: GRAPH, exportedAt: latestAt, events }
  for await (const some of encodeExport(graph, createHash('sha256'))) text += some
  return text
}

async function read(data: string): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', [READER, data, GRAPH], { maxBuffer: 1e8 })
  return stdout
}

test('what is read has fields, and links that were not sure', async () => {
  const store = await open(folder())
  await fill(store)
  const text = await exportOf(store)
  expect(text).toMatch(/"contradicts":\["mem_\w+#\/price%20~1%20~0%25\(%E2%82%AC\)","mem_\w+#\/n%C3%A9!"\]/)
  expect(text).toMatch(/"unresolved":\[\{"link":0,"candidates":\["mem_/)
  await store.close()
})

test.each([
  ['a journal alone', 1_000_000],
  ['a snapshot and a journal', 2_000],
])('D21: %s, read by the page about the format, is what the service exports', async (_, compactBytes) => {
  const data = folder()
  const store = await open(data, compactBytes)
  await fill(store)
  const wanted = await exportOf(store)
  await store.close()
  expect(store.stats().compactions > 0).toBe(compactBytes === 2_000)
  expect(await read(data)).toBe(wanted)
})

test('D21: after a torn write, an erasure, and more', async () => {
  const data = folder()
  const store = await open(data, 2_000)
  await fill(store)
  await store.erase(GRAPH, { contextId: 'note:1' }, { dryRun: false })
  await store.erase(GRAPH, { contextId: 'note:2' }, { dryRun: false })
  const rest = await exportOf(store)
  expect(rest).not.toContain('note:1')
  expect(await read(data)).toBe(rest)
  await record(store, GRAPH, event('note:3', 'after the erasures'))
  const wanted = await exportOf(store)
  await store.close()
  const [name = ''] = await readdir(join(data, 'graphs'))
  await appendFile(
    join(data, 'graphs', name, 'journal.ndjson'),
    '{"length":       999,"crc32":"01234567","seq":',
  )
  expect(await read(data)).toBe(wanted)
})

test('D21: after an import', async () => {
  const [from, to] = [await open(folder()), folder()]
  await fill(from)
  const into = await open(to)
  const { events } = await from.exportGraph(GRAPH)
  await into.importGraph(GRAPH, events, at)
  const wanted = await exportOf(from)
  expect(await exportOf(into)).toBe(wanted)
  expect(await read(to)).toBe(wanted)
  await from.close()
  await into.close()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewMemory } from '../../src/domain/model.js'
import { parseNameQuery } from '../../src/domain/names.js'
import { queryTerms } from '../../src/domain/search/text-analysis.js'
import type { LogStore } from '../../src/log/store.js'
import type { GraphReader } from '../../src/store/store.js'
import { createEvents } from './data.js'
import { fill, open } from './graphs.js'
import { atMost, interleave, median, type Row, timingRows } from './measure.js'
import { GRAPH } from './service.js'

interface Filled {
  readonly store: LogStore
  readonly next: () => NewMemory
}

/** What one write and each question costs, by the number of memories that are there already. */
export async function benchStore(sizes: readonly number[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const filled = new Map<string, Filled>()
  for (const size of sizes) {
    const store = await open(join(folder, String(size)))
    const eventAt = createEvents(1)
    let index = 0
    const next = () => eventAt(index++)
    await fill(store, next, size)
    filled.set(size.toLocaleString('en'), { store, next })
  }
  const each = (run: (filled: Filled) => Promise<unknown>) =>
    Object.fromEntries(Array.from(filled, ([size, it]) => [size, () => run(it)]))
  const rows: Row[] = []

  const writes = await interleave(
    each(({ store, next }) => store.append(GRAPH, [next()], String)),
    20,
    25,
  )
  const medians = [...writes.values()].map(median)
  const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 0)
  rows.push(
    ...timingRows('durable write', writes),
    atMost(
      { what: 'durable write, largest ÷ smallest, p50', subject: 'Loregraph', value: ratio, unit: '×' },
      1.5,
    ),
  )
  const batches = await interleave(
    each(({ store, next }) => store.append(GRAPH, Array.from({ length: 1000 }, next), String)),
    7,
    1,
  )
  for (const row of timingRows('durable batch of 1,000', batches))
    rows.push(atMost(row, row.what.endsWith('p50') ? 150 : undefined))

  const paging = { page: 0, pageSize: 100 }
  const types = await [...filled.values()]
    .at(-1)
    ?.store.read(GRAPH, async (graph) => graph.contextsOfType('skill', { page: 5, pageSize: 1 }))
  const somewhere = types?.items[0]?.contextId ?? ''
  const word = somewhere.split(/[:_]/)[1] ?? 'note'
  let counter = 0
  const questions: Record<string, (graph: GraphReader) => unknown> = {
    'list contexts, page 0': (graph) => graph.contextsOfType('skill', paging),
    'list contexts, last page': (graph) => graph.contextsOfType('skill', { page: 12, pageSize: 100 }),
    'search names': (graph) => graph.searchContexts(parseNameQuery(`${word} ${counter++ % 50}`), paging),
    'search names by one letter': (graph) =>
      graph.searchContexts(parseNameQuery('abcdefghij'.charAt(counter++ % 10)), paging),
    relationships: (graph) => graph.relationships(somewhere, {}),
    recall: (graph) =>
      graph.retrieve({ terms: queryTerms(`note ${counter++} ${word} about caching`), limit: 50 }),
  }
  for (const [what, ask] of Object.entries(questions)) {
    const asked = each(({ store }) => store.read(GRAPH, async (graph) => ask(graph)).catch(() => undefined))
    rows.push(...timingRows(what, await interleave(asked, 10, 10)))
  }
  for (const { store } of filled.values()) await store.close()
  await rm(folder, { recursive: true })
  return rows
}

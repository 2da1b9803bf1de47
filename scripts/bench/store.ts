import { parseNameQuery } from '../../src/domain/names.js'
import { queryTerms } from '../../src/domain/search/text-analysis.js'
import type { GraphReader } from '../../src/store/store.js'
import { type Filled, fill } from './graphs.js'
import { interleave, median, promised, type Row, timingRows } from './measure.js'
import { GRAPH } from './service.js'

/** What one write and each question costs, by the number of memories that are there already. */
export async function benchStore(sizes: readonly number[]): Promise<Row[]> {
  const filled = new Map<string, Filled>()
  for (const size of sizes) filled.set(size.toLocaleString('en'), await fill(size))
  const each = (run: (filled: Filled) => Promise<unknown>) =>
    Object.fromEntries(Array.from(filled, ([size, it]) => [size, () => run(it)]))
  const rows: Row[] = []

  const writes = await interleave(
    each(({ store, next }) => store.append(GRAPH, [next()], String)),
    20,
    25,
  )
  rows.push(...timingRows('durable write', writes))
  const [smallest = [], largest = []] = [[...writes.values()][0], [...writes.values()].at(-1)]
  const ratio = median(largest) / median(smallest)
  rows.push(
    promised(
      { what: 'durable write, largest ÷ smallest, p50', subject: 'Loregraph', value: ratio, unit: '×' },
      '≤ 1.5',
      ratio <= 1.5,
    ),
  )

  const batches = await interleave(
    each(({ store, next }) => store.append(GRAPH, Array.from({ length: 1000 }, next), String)),
    7,
    1,
  )
  for (const row of timingRows('durable batch of 1,000', batches))
    rows.push(row.what.endsWith('p50') ? promised(row, '≤ 150 ms', row.value <= 150) : row)

  const paging = { page: 0, pageSize: 100 }
  const types = await [...filled.values()]
    .at(-1)
    ?.store.read(GRAPH, async (graph) => graph.contextsOfType('skill', { page: 5, pageSize: 1 }))
  const somewhere = types?.items[0]?.contextId ?? ''
  const word = somewhere.split(/[:_]/)[1] ?? 'note'
  const questions: Record<string, (graph: GraphReader) => unknown | Promise<unknown>> = {
    'list contexts, page 0': (graph) => graph.contextsOfType('skill', paging),
    'list contexts, last page': (graph) => graph.contextsOfType('skill', { page: 12, pageSize: 100 }),
    'search names': (graph) => graph.searchContexts(parseNameQuery(`${word} ${counter++ % 50}`), paging),
    'search names by one letter': (graph) =>
      graph.searchContexts(parseNameQuery('abcdefghij'.charAt(counter++ % 10)), paging),
    relationships: (graph) => graph.relationships(somewhere, {}),
    recall: (graph) =>
      graph.retrieve({ terms: queryTerms(`note ${counter++} ${word} about caching`), limit: 50 }),
  }
  for (const [what, ask] of Object.entries(questions))
    rows.push(
      ...timingRows(
        what,
        await interleave(
          each(({ store }) => store.read(GRAPH, async (graph) => ask(graph)).catch(() => undefined)),
          10,
          10,
        ),
      ),
    )
  for (const it of filled.values()) await it.dispose()
  return rows
}

let counter = 0

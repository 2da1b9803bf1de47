import { fileURLToPath } from 'node:url'
import { startProgram } from '../../test/support/program.js'
import { median, promised, type Row } from './measure.js'
import { GRAPH, SECRET, startService, throughput } from './service.js'

const TARGET = 0.6
const ITEMS = 20
const PATH = `/v1/contexts/${GRAPH}/skill`
const CONNECTIONS = 10
const BARE = fileURLToPath(new URL('bare-express.ts', import.meta.url))

/**
 * `listContexts` with 20 items through the whole service, as a share of bare express sending the same bytes. Both run
 * as processes of their own, take turns, and are asked by the same client; the median of the ratios counts.
 */
export async function benchHttp(rounds: number, seconds: number): Promise<Row[]> {
  const service = await startService()
  const bare = startProgram([], {
    command: [process.execPath, '--import', 'tsx', BARE],
    env: { NODE_ENV: 'production' },
  })
  try {
    const [loregraph, express] = [service.url, await bare.url]
    await service.fill(
      (i) => ({ event_kind: 'fact', context_id: `skill:topic_${i}`, payload: { data: `Topic ${i}` } }),
      ITEMS,
    )
    const headers = { authorization: `Bearer ${SECRET}` }
    const bytes = await (await fetch(loregraph + PATH, { headers })).text()
    await fetch(express + PATH, { method: 'PUT', body: bytes })
    const load = (url: string, duration: number) =>
      throughput({ url: url + PATH, duration, connections: CONNECTIONS })
    await load(express, 2 * seconds)
    await load(loregraph, 2 * seconds)
    const rates = { own: [] as number[], bare: [] as number[], ratio: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      const before = await load(express, seconds)
      const own = await load(loregraph, seconds)
      rates.bare.push(before)
      rates.own.push(own)
      rates.ratio.push(own / before)
    }
    const what = `listContexts, ${ITEMS} items, ${Buffer.byteLength(bytes)} bytes, ${CONNECTIONS} connections`
    const ratio = median(rates.ratio)
    const row = { what, subject: 'Loregraph ÷ bare express', value: ratio, unit: '×' }
    return [
      { what, subject: 'Loregraph', value: median(rates.own), unit: 'requests/s' },
      { what, subject: 'bare express', value: median(rates.bare), unit: 'requests/s' },
      promised(row, `≥ ${TARGET}`, ratio >= TARGET),
    ]
  } finally {
    await bare.stop()
    await service.stop()
  }
}

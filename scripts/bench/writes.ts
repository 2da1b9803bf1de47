import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LabelledEvent, readGraphs } from '../quality/graphs.js'
import { interleave, median, promised, type Row, timingRows } from './measure.js'
import { GRAPH, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors } from './vectors.js'

const ROUNDS = 40
const EACH = 10
/** How many times as long a plain write may take, and how many milliseconds longer one that asks for what is similar. */
const MAX_TIMES = 1.1
const MAX_MORE = 20

/** What single writes over HTTP take with meaning on and off, in alternating rounds, at so many memories. */
export async function benchWrites(memories: number): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  /** Real sentences: words that are made up would be taken for many pieces each. */
  const eventAt = (index: number): Body => {
    const { event_kind, context_id, payload } = graphs.event(index)
    return { event_kind, context_id, payload }
  }
  const folders: string[] = []
  const start = async (meaning: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
    folders.push(folder)
    const env = { LOREGRAPH_DATA: folder, LOREGRAPH_RATE_LIMIT: 'off' }
    const filling = await startService({ env: { ...env, LOREGRAPH_MEANING: 'off' } })
    await filling.fill(eventAt, memories)
    await filling.stop()
    await giveVectors(folder)
    return startService({ env: { ...env, LOREGRAPH_MEANING: meaning } })
  }
  const services = { on: await start('on'), off: await start('off') }
  const rows: Row[] = []
  let index = memories
  for (const [kind, fieldsOf] of Object.entries(KINDS)) {
    const subjects = Object.entries(services).map(([meaning, service]) => {
      const write = () => {
        const event = eventAt(index++)
        return service.post('/v1/events', { graph_id: GRAPH, ...event, ...fieldsOf(event) })
      }
      return [`meaning ${meaning}`, write] as const
    })
    await interleave(Object.fromEntries(subjects), 3, EACH)
    const times = await interleave(Object.fromEntries(subjects), ROUNDS, EACH)
    const [on = 0, off = 0] = [...times.values()].map(median)
    rows.push(...timingRows(`write, ${kind}`, times), compared(kind, on, off))
  }
  for (const service of Object.values(services)) await service.stop()
  for (const folder of folders) await rm(folder, { recursive: true })
  return rows
}

type Body = Pick<LabelledEvent, 'event_kind' | 'context_id' | 'payload'>

const KINDS: Readonly<Record<string, (event: Body) => object>> = {
  plain: () => ({ similar: false }),
  'with `similar`': () => ({ similar: true }),
  'with a link to a context': ({ context_id }) => ({ similar: false, reinforces: [context_id] }),
}

function compared(kind: string, on: number, off: number): Row {
  if (kind !== 'plain') {
    const row = { what: `write, ${kind}, p50 more`, subject: 'on - off', value: on - off, unit: 'ms' }
    return promised(row, `≤ ${MAX_MORE}`, row.value <= MAX_MORE)
  }
  const row = { what: `write, ${kind}, p50`, subject: 'on ÷ off', value: on / off, unit: '×' }
  return promised(row, `≤ ${MAX_TIMES}`, row.value <= MAX_TIMES)
}

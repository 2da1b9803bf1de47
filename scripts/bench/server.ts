import type { Request } from 'autocannon'
import { createEvents, toBody } from './data.js'
import { median, promised, type Row } from './measure.js'
import { GRAPH, startService, throughput } from './service.js'

/** How many events 64 callers at once can have recorded, beside how many lists they can have. */
export async function benchServer(memories: number, seconds: number): Promise<Row[]> {
  const eventAt = createEvents(3)
  const service = await startService()
  await service.fill((i) => toBody(eventAt(i)), memories)
  let index = memories
  const common = { url: service.url, connections: 64, duration: seconds }
  const list = { method: 'GET', path: `/v1/contexts/${GRAPH}/skill` }
  const write = {
    method: 'POST',
    path: '/v1/events',
    setupRequest: (request: Request) => ({
      ...request,
      body: JSON.stringify({ graph_id: GRAPH, ...toBody(eventAt(index++)) }),
    }),
  }
  const lists: number[] = []
  const writes: number[] = []
  for (let round = 0; round < 4; round++) {
    lists.push(await throughput({ ...common, requests: [list] }))
    writes.push(await throughput({ ...common, requests: [write] }))
  }
  await service.stop()
  // The first round warms up.
  const [listed, written] = [median(lists.slice(1)), median(writes.slice(1))]
  const share = written / listed
  const subject = `64 callers, ${memories.toLocaleString('en')} memories`
  return [
    { what: 'listContexts, 100 a page', subject, value: listed, unit: 'requests/s' },
    { what: 'recordEvent, durable', subject, value: written, unit: 'requests/s' },
    promised({ what: 'recordEvent ÷ listContexts', subject, value: share, unit: '×' }, '≥ 0.6', share >= 0.6),
  ]
}

import { fillStore, type StoreName } from './filled-store.js'
import { interleave, promised, type Row, timingOf } from './measure.js'
import { GRAPH, type Service } from './service.js'

const REACHES = [
  { depth: 1, limit: 100 },
  { depth: 1, limit: 1000 },
  { depth: 2, limit: 1000 },
]
const MOST_MS = 100

/** What lies around a context that so many others link to, which link to each other as well. */
export async function benchHub(stores: readonly StoreName[], links: number, rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const store of stores) {
    const { service, dispose } = await fillStore(store, (i) => hubEventAt(i, links), Math.ceil(links * 1.1))
    try {
      rows.push(...(await askHub(service, rounds, `${store}, ${links.toLocaleString('en')} links`)))
    } finally {
      await dispose()
    }
  }
  return rows
}

export async function askHub(service: Service, rounds: number, subject: string): Promise<Row[]> {
  const path = `/v1/contexts/${GRAPH}/service/hub/neighbourhood`
  const subjects = REACHES.map(({ depth, limit }) => [
    `neighbourhood, depth ${depth}, limit ${limit}`,
    () => service.send(`${path}?depth=${depth}&limit=${limit}`),
  ])
  // Those of the first round warm up.
  const times = await interleave(Object.fromEntries(subjects), rounds + 1, 1)
  return [...times].flatMap(([what, samples]) => {
    const { p50, p95 } = timingOf(samples.slice(1))
    const row = { what: `${what}, p50`, subject, value: p50, unit: 'ms' }
    return [
      promised(row, `≤ ${MOST_MS}`, p50 <= MOST_MS),
      { what: `${what}, p95`, subject, value: p95, unit: 'ms' },
    ]
  })
}

/** One in eleven is another memory of a context that is there already, and states no link. */
export function hubEventAt(index: number, links: number): object {
  const from = index < links ? index : (index * 7919) % links
  const others = from > 0 && from % 3 === 0 ? [nameOf(Math.floor(from / 2))] : []
  return {
    event_kind: 'fact',
    context_id: nameOf(from),
    payload: { text: `Part ${from} was built on the hub in step ${index}.` },
    ...(index < links && { extends: ['service:hub', ...others] }),
  }
}

function nameOf(index: number): string {
  return `part:number_${index}`
}

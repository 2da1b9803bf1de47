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
      rows.push(...(await askHub(service, links, rounds, `${store}, ${links.toLocaleString('en')} links`)))
    } finally {
      await dispose()
    }
  }
  return rows
}

export async function askHub(
  service: Service,
  links: number,
  rounds: number,
  subject: string,
): Promise<Row[]> {
  const path = `/v1/contexts/${GRAPH}/service/hub/neighbourhood`
  const now = REACHES.map(({ depth, limit }) => [
    `neighbourhood, depth ${depth}, limit ${limit}`,
    () => service.send(`${path}?depth=${depth}&limit=${limit}`),
  ])
  const place = Math.floor(links / 2)
  const then = ['neighbourhood then, depth 1, limit 100', () => service.send(`${path}?as_of=${place}`)]
  // Those of the first round warm up.
  const times = await interleave(Object.fromEntries([...now, then]), rounds + 1, 1)
  return [...times].flatMap(([what, samples]) => {
    const { p50, p95 } = timingOf(samples.slice(1))
    const row = { what: `${what}, p50`, subject, value: p50, unit: 'ms' }
    return [
      what.includes('then') ? row : promised(row, `≤ ${MOST_MS}`, p50 <= MOST_MS),
      { what: `${what}, p95`, subject, value: p95, unit: 'ms' },
    ]
  })
}

/** One in ten is another memory of a context that is there already. */
export function hubEventAt(index: number, links: number): object {
  const from = index < links ? index : (index * 7919) % links
  return {
    event_kind: 'fact',
    context_id: nameOf(from),
    payload: { text: `Part ${from} was built on the hub in step ${index}.` },
    extends: ['service:hub', ...(from > 0 && from % 3 === 0 ? [nameOf((from * 31) % from)] : [])],
  }
}

function nameOf(index: number): string {
  return `part:number_${index}`
}

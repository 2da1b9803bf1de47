import { createRandom } from './random.js'

/** What several clients did at once to a few contexts, as they saw it themselves. */
export interface History {
  readonly writes: readonly Write[]
  readonly reads: readonly Read[]
  /** The texts of each context in the end, in order of recording, with their ids. */
  readonly final: ReadonlyMap<string, readonly Found[]>
}

interface Span {
  readonly context: string
  readonly began: number
  readonly ended: number
}

export interface Write extends Span {
  readonly text: string
  readonly id: string
}

/** One page: the newest memories, and how many there are in all. */
export interface Read extends Span {
  readonly total: number
  readonly newest: readonly string[]
}

export interface Found {
  readonly id: string
  readonly text: string
}

export interface Play {
  readonly url: string
  readonly secret: string
  readonly graph: string
  readonly clients: number
  readonly operations: number
  readonly seed: number
}

const NAMES = ['a', 'b', 'c']
const PAGE = 20
const SHARE_OF_WRITES = 0.6

/** Lets clients write and read at once, each one operation after the other. */
export async function playAtOnce({ clients, operations, seed, ...service }: Play): Promise<History> {
  const writes: Write[] = []
  const reads: Read[] = []
  const work = async (client: number) => {
    const random = createRandom(seed * 1000 + client)
    for (let i = 0; i < operations; i++) {
      const name = NAMES[Math.floor(random() * NAMES.length)] ?? 'a'
      const began = performance.now()
      if (random() < SHARE_OF_WRITES) {
        const text = `client ${client} operation ${i}`
        const id = await write(service, name, text)
        writes.push({ context: name, text, id, began, ended: performance.now() })
      } else {
        const { total, found } = await read(service, name, 0, PAGE)
        const newest = found.map(({ text }) => text)
        reads.push({ context: name, total, newest, began, ended: performance.now() })
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  const final = new Map<string, readonly Found[]>()
  for (const name of NAMES) final.set(name, await readAll(service, name))
  return { writes, reads, final }
}

/**
 * What contradicts that every operation took effect at one moment between its beginning and its end. A context only
 * grows, so a read is right if it saw the first `total` of the final order; and then it suffices to look at pairs.
 */
export function contradictions({ writes, reads, final }: History): readonly string[] {
  const found: string[] = []
  for (const [context, list] of final) {
    const place = new Map(list.map(({ text }, i) => [text, i + 1]))
    const ours = writes.filter((write) => write.context === context)
    if (place.size !== list.length) found.push(`${context}: an event is there twice`)
    if (list.length !== ours.length)
      found.push(`${context}: ${ours.length} were acknowledged, ${list.length} are there`)
    list.forEach(({ id }, i) => {
      if (i > 0 && id <= (list[i - 1]?.id ?? '')) found.push(`${context}: ids are in another order`)
    })
    const steps: (Span & { at: number; what: string })[] = []
    for (const write of ours) {
      const at = place.get(write.text)
      if (at === undefined || list[at - 1]?.id !== write.id)
        found.push(`${context}: "${write.text}" is not there`)
      else steps.push({ ...write, at, what: write.text })
    }
    for (const read of reads.filter((it) => it.context === context)) {
      const seen = list
        .slice(0, read.total)
        .slice(-PAGE)
        .map(({ text }) => text)
      if (seen.reverse().join() !== read.newest.join()) found.push(`${context}: a page is of another order`)
      // After the write that it saw last, and before the next.
      steps.push({ ...read, at: read.total + 0.5, what: `a read of ${read.total}` })
    }
    for (const one of steps)
      for (const other of steps)
        if (one.ended < other.began && one.at > other.at)
          found.push(`${context}: ${one.what} was over before ${other.what} began, and comes after it`)
  }
  return found
}

type Target = Pick<Play, 'url' | 'secret' | 'graph'>

async function write({ url, secret, graph }: Target, name: string, text: string): Promise<string> {
  const response = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      graph_id: graph,
      event_kind: 'fact',
      context_id: `skill:${name}`,
      payload: { text },
    }),
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  // A boundary: other tests hold the body against the contract.
  const { event_id } = (await response.json()) as { event_id: string }
  return event_id
}

interface Page {
  readonly total: number
  readonly memories: readonly { readonly memory_id: string; readonly payload: { readonly text: string } }[]
}

async function read({ url, secret, graph }: Target, name: string, page: number, size: number) {
  const response = await fetch(`${url}/v1/contexts/${graph}/skill/${name}?page=${page}&page_size=${size}`, {
    headers: { Authorization: `Bearer ${secret}` },
  })
  const text = await response.text()
  if (response.status === 404) return { total: 0, found: [] }
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  const { total, memories }: Page = JSON.parse(text)
  return { total, found: memories.map((memory) => ({ id: memory.memory_id, text: memory.payload.text })) }
}

async function readAll(service: Target, name: string): Promise<readonly Found[]> {
  const all: Found[] = []
  for (let page = 0; ; page++) {
    const { found } = await read(service, name, page, 500)
    if (found.length === 0) return all.reverse()
    all.push(...found)
  }
}

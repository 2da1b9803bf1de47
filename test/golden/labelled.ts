import { readdirSync, readFileSync } from 'node:fs'
import { Known, post, type Question, readPast, readPresent } from './readings.js'
import type { Session } from './session.js'

const QUALITY = new URL('../../scripts/quality/', import.meta.url)
const LINKS = ['reinforces', 'extends', 'contradicts', 'related_to'] as const

type Event = Readonly<Partial<Record<(typeof LINKS)[number], readonly string[]>>> & {
  readonly key: string
  /** Instead of an event: the key of one that is erased. */
  readonly erase?: string
  readonly [member: string]: unknown
}

interface Labelled {
  readonly graph_id: string
  readonly events: readonly Event[]
  readonly tasks?: readonly Question[]
  readonly questions?: readonly Question[]
}

/** The labelled graphs by name. */
export function labelledGraphs(): ReadonlyMap<string, Labelled> {
  const files = ['graphs/', 'answers/'].flatMap((folder) =>
    readdirSync(new URL(folder, QUALITY))
      .filter((file) => file.endsWith('.json'))
      .map((file) => folder + file),
  )
  const read = (file: string): Labelled => JSON.parse(readFileSync(new URL(file, QUALITY), 'utf8'))
  return new Map(files.sort().map((file) => [file.replace('.json', ''), read(file)]))
}

/** From here on a graph is large: at each place a twentieth of its memories and contexts is asked about, others at the next. */
const LARGE = 50
/** What is told of the present alone is asked of a large graph after every tenth event. */
const SELDOM = 10

export function shareOf(events: number): number {
  return events > LARGE ? 20 : 1
}

/** Records the events one by one and reads after each. */
export async function playLabelled(session: Session, { graph_id, events, ...labelled }: Labelled) {
  const asked = labelled.tasks ?? labelled.questions ?? []
  const known = new Known(graph_id, asked.map(toQuestion))
  const ids = new Map<string, string>()
  const share = shareOf(events.length)
  for (const [turn, event] of events.entries()) {
    session.pass(3600)
    if (event.erase !== undefined) {
      const path = `/v1/memories/${graph_id}/${ids.get(event.erase)}`
      await session.ask({ operation: 'deleteMemory', method: 'DELETE', path })
    } else {
      const reply = await session.ask(post('recordEvent', '/v1/events', { graph_id, ...toBody(event, ids) }))
      ids.set(event.key, JSON.parse(reply.text).event_id)
    }
    if (share === 1 || turn % SELDOM === 0) await readPresent(session, known, { share, turn })
  }
  await readPast(session, known, share, [session.now.toISOString()])
}

function toBody({ key, state, expected, ...event }: Event, ids: ReadonlyMap<string, string>): object {
  const links = LINKS.map((field) => [
    field,
    event[field]?.map((target) => (target.startsWith('@') ? (ids.get(target.slice(1)) ?? target) : target)),
  ])
  return { ...event, ...Object.fromEntries(links) }
}

function toQuestion({ task, limit, locus_query, context_types }: Question): Question {
  return { task, limit, locus_query, context_types }
}

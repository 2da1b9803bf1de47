import type { GraphId, Link } from '../../../domain/model.js'
import { BulkWrite } from '../connection/bulk-write.js'
import type { Session } from '../connection/session.js'
import { linksOf } from '../schema/rows.js'
import type { Going } from './plan.js'
import { keyOf, type Relation, reckonRelations, relationColumns, unique } from './relations.js'
import { Targets } from './targets.js'

const UNNAME = {
  name: 'erase-links-to-memories',
  text: `DELETE FROM memory_links l USING unnest($2::bigint[]) AS gone(seq)
    WHERE l.graph_id = $1 AND l.target_seq = gone.seq`,
}

/** A memory that stays, though some of its events linked to one that goes. */
export interface Naming {
  readonly seq: number
  readonly context_no: number
  /** The links that go. */
  readonly lost: readonly Link[]
  /** All its events in order, with the links that they have from now on. */
  readonly events: readonly Event[]
}

interface Event {
  readonly seq: number
  readonly links: readonly Link[]
  /** Has it lost a link? */
  readonly isChanged: boolean
}

interface Speaker extends Relation {
  readonly by_seq: number
  /** The first of its events that still states the relation, if any does. */
  readonly first: number | undefined
  /** Those that no longer do. */
  readonly silent: readonly number[]
}

/** They are still there. */
const FORGET_SIGHTINGS = {
  name: 'erase-relation-sightings',
  text: `DELETE FROM relation_sightings r
    USING unnest($2::integer[], $3::text[], $4::integer[], $5::bigint[]) AS gone(from_no, kind, to_no, by_seq)
    CROSS JOIN LATERAL (SELECT seq FROM sightings WHERE graph_id = $1 AND memory_seq = gone.by_seq OFFSET 0) s
    WHERE r.graph_id = $1 AND r.from_no = gone.from_no AND r.kind = gone.kind AND r.to_no = gone.to_no
      AND r.seq = s.seq`,
}

/** Takes out the links of memories that go, and those to them. They are still there, but no event that stays names them. */
export async function takeOutLinks(
  session: Session,
  graphId: GraphId,
  going: readonly Going[],
  naming: readonly Naming[],
): Promise<void> {
  const own = going.map(({ seq, context_no, links }) => ({ seq, context_no, links: linksOf(links) }))
  const links = [
    ...own.flatMap(({ links }) => links),
    ...naming.flatMap(({ lost, events }) => [...lost, ...events.flatMap(({ links }) => links)]),
  ]
  const targets = await Targets.load(session, graphId, links)
  const relations = (from: number, links: readonly Link[]) =>
    unique(links.map((link) => targets.relation(from, link)))
  const speakers = [
    ...own.flatMap((one) =>
      relations(one.context_no, one.links).map((relation) => silenced(relation, one.seq)),
    ),
    ...naming.flatMap((one) =>
      relations(one.context_no, one.lost).map((relation) => left(relation, one, targets)),
    ),
  ]
  const tables = new BulkWrite(session, graphId)
  const silent = speakers.filter(({ first }) => first === undefined)
  tables.remove('speakers', speakerColumns(silent))
  const speaking = speakers.filter(({ first }) => first !== undefined)
  tables.update(
    'erase-update-speakers',
    'speakers',
    [...speakerColumns(speaking), ['seq', 'bigint', speaking.map(({ first }) => first)]],
    4,
  )
  const unsaid = speaking.flatMap(({ silent, ...relation }) => silent.map((seq) => ({ ...relation, seq })))
  tables.remove('relation_sightings', [
    ...relationColumns(unsaid),
    ['seq', 'bigint', unsaid.map(({ seq }) => seq)],
  ])
  const named = own.flatMap(({ seq, links }) =>
    links.map((link) => ({ target: targets.seqOf(link), by: seq })),
  )
  const toMemories = named.filter(({ target }) => target !== undefined)
  tables.remove('memory_links', [
    ['target_seq', 'bigint', toMemories.map(({ target }) => target)],
    ['by_seq', 'bigint', toMemories.map(({ by }) => by)],
  ])
  await tables.done()
  await session.rows(FORGET_SIGHTINGS, [graphId, ...speakerColumns(silent).map(([, , values]) => values)])
  await session.rows(UNNAME, [graphId, going.map(({ seq }) => seq)])
  // The place of a relation among others goes by the place of the link in its event.
  const moved = naming.flatMap(({ context_no, events }) =>
    relations(
      context_no,
      events.flatMap(({ links, isChanged }) => (isChanged ? links : [])),
    ),
  )
  const lost = new Map<string, number>()
  for (const one of silent) lost.set(keyOf(one), (lost.get(keyOf(one)) ?? 0) + 1)
  await reckonRelations(
    session,
    graphId,
    unique([...speakers, ...moved]).map((one) => ({ ...one, lost: lost.get(keyOf(one)) ?? 0 })),
  )
}

function silenced(relation: Relation, by_seq: number): Speaker {
  return { ...relation, by_seq, first: undefined, silent: [] }
}

/** What a memory still says of a relation that it states by a link that goes. */
function left(relation: Relation, { seq, context_no, events }: Naming, targets: Targets): Speaker {
  const isIt = (link: Link) => keyOf(targets.relation(context_no, link)) === keyOf(relation)
  const states = ({ links }: Event) => links.some(isIt)
  const silent = events.filter((event) => !states(event)).map((event) => event.seq)
  return { ...relation, by_seq: seq, first: events.find(states)?.seq, silent }
}

function speakerColumns(speakers: readonly Speaker[]) {
  return [...relationColumns(speakers), ['by_seq', 'bigint', speakers.map(({ by_seq }) => by_seq)] as const]
}

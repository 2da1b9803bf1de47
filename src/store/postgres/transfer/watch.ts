import { graphNotFound } from '../../../domain/failure.js'
import type { GraphId } from '../../../domain/model.js'
import type { ErasedStatement, Feeds } from '../../../store/feeds.js'
import type { Database } from '../connection/database.js'
import type { Session } from '../connection/session.js'

const EVERY_MS = 1_000
const STATES = {
  name: 'states-of-graphs',
  text: 'SELECT graph_id, last_place, edition FROM graphs WHERE graph_id = ANY($1)',
}
const ERASURES = {
  name: 'erasures-since',
  text: 'SELECT edition_before, edition, gone FROM erasures WHERE graph_id = $1 AND edition > $2 ORDER BY edition',
}
const NOTE = {
  name: 'note-erasure',
  text: `INSERT INTO erasures (graph_id, edition_before, edition, erased_at, gone)
    SELECT graph_id, $2, edition, now(), $3 FROM graphs WHERE graph_id = $1`,
}
/** Much longer than any process is held up between two looks; one that was lets its followers go. */
const FORGET = {
  name: 'forget-erasures',
  text: `DELETE FROM erasures WHERE graph_id = $1 AND erased_at < now() - interval '10 minutes'`,
}

interface State {
  readonly last_place: number
  readonly edition: number
}

type Gone = readonly (readonly [place: number, memoryId: string])[]

/** Notes what was erased for followers in all processes, in the transaction that erased it. */
export async function noteErasure(
  session: Session,
  graphId: GraphId,
  before: number,
  gone: readonly ErasedStatement[],
): Promise<void> {
  const pairs: Gone = gone.map(({ place, memoryId }) => [place, memoryId])
  await session.rows(FORGET, [graphId])
  await session.rows(NOTE, [graphId, before, JSON.stringify(pairs)])
}

/** Looks at the graphs that are followed, all of them at once, and tells their followers what other processes did. */
export class GraphWatch {
  readonly #database: Database
  readonly #feeds: Feeds
  readonly #known = new Map<GraphId, State>()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(database: Database, feeds: Feeds) {
    this.#database = database
    this.#feeds = feeds
    this.#timer = setInterval(() => this.look().catch(() => undefined), EVERY_MS).unref()
  }

  /** The last place of a graph, from which on it is watched. */
  async begin(graphId: GraphId): Promise<number> {
    await this.look()
    const known = this.#known.get(graphId)
    if (known === undefined) throw graphNotFound(graphId)
    return known.last_place
  }

  /** Resolves when what had happened before this was called has been told. */
  look(): Promise<void> {
    // One look waits for the one under way, for all who ask meanwhile.
    if (this.#next !== undefined) return this.#next
    const next = this.#looking.then(() => {
      this.#next = undefined
      return this.#look()
    })
    this.#next = next
    this.#looking = next.catch(() => undefined)
    return next
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const { graphs } = this.#feeds
    for (const graphId of this.#known.keys())
      if (!this.#feeds.isFollowed(graphId)) this.#known.delete(graphId)
    if (graphs.length === 0) return
    const states = await this.#database.ask((session) =>
      session.rows<State & { graph_id: GraphId }>(STATES, [graphs]),
    )
    const byId = new Map(states.map((state) => [state.graph_id, state]))
    for (const graphId of graphs) await this.#compare(graphId, byId.get(graphId))
  }

  async #compare(graphId: GraphId, now: State | undefined): Promise<void> {
    const before = this.#known.get(graphId)
    if (now === undefined) {
      this.#known.delete(graphId)
      this.#feeds.over(graphId)
      return
    }
    if (before !== undefined && before.edition !== now.edition) {
      const gone = await this.#erasedBetween(graphId, before.edition, now.edition)
      // It is another graph of that name, or what was erased is no longer known.
      if (gone === undefined) this.#feeds.over(graphId)
      else this.#feeds.erased(graphId, () => gone)
    }
    this.#known.set(graphId, now)
    if (before !== undefined && before.last_place < now.last_place) this.#feeds.recorded(graphId)
  }

  /** Undefined when the one edition does not follow from the other. */
  async #erasedBetween(graphId: GraphId, from: number, to: number): Promise<ErasedStatement[] | undefined> {
    const rows = await this.#database.ask((session) =>
      session.rows<{ edition_before: number; edition: number; gone: string }>(ERASURES, [graphId, from]),
    )
    let edition = from
    const gone: ErasedStatement[] = []
    for (const row of rows) {
      if (edition === to || row.edition_before !== edition) break
      edition = row.edition
      // The store wrote this text itself.
      for (const [place, memoryId] of JSON.parse(row.gone) as Gone) gone.push({ place, memoryId })
    }
    return edition === to ? gone : undefined
  }
}

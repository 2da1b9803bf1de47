import type { GraphId } from '../../../domain/model.js'
import { MOST_LINKS_OF_CONTEXT } from '../../../domain/survey/neighbourhood.js'
import type { Session } from '../connection/session.js'

/**
 * All in one row, since there may be very many. Those of links that more than one memory states are negative, and there
 * is a weight for each of these.
 */
const ends = (other: string, own: string) => `
    SELECT array_agg(CASE WHEN weight = 1 THEN other ELSE -other END)::text AS others,
      array_agg(weight) FILTER (WHERE weight <> 1)::text AS weights
    FROM unnest($2::integer[]) AS w(no) CROSS JOIN LATERAL (
      SELECT ${other} AS other, weight FROM relations WHERE graph_id = $1 AND ${own} = w.no
      ORDER BY made DESC LIMIT $3) r`
const OUTGOING = { name: 'ends-of-outgoing', text: ends('to_no', 'from_no') }
const INCOMING = { name: 'ends-of-incoming', text: ends('from_no', 'to_no') }

interface EndColumns {
  readonly others: string | null
  readonly weights: string | null
}

/** The other ends of links in one direction, the latest of each context first. */
export class Ends {
  readonly #others: readonly number[]
  readonly #weights: readonly number[]

  constructor(columns: EndColumns | undefined) {
    this.#others = integersOf(columns?.others)
    this.#weights = integersOf(columns?.weights)
  }

  get many(): number {
    return this.#others.length
  }

  /** So many of them, each with the number of memories that state its link. */
  each(note: (other: number, weight: number) => void, most: number): void {
    const many = Math.min(most, this.many)
    for (let i = 0, weighed = 0; i < many; i++) {
      const other = this.#others[i] ?? 0
      if (other > 0) note(other, 1)
      else note(-other, this.#weights[weighed++] ?? 0)
    }
  }
}

/** The other ends of the links of these contexts in both directions, of each so many. */
export function endsOf(
  session: Session,
  graphId: GraphId,
  contexts: readonly number[],
  most = MOST_LINKS_OF_CONTEXT,
): Promise<[outgoing: Ends, incoming: Ends]> {
  const ask = async (statement: typeof OUTGOING) =>
    new Ends(await session.row<EndColumns>(statement, [graphId, contexts, most]))
  return Promise.all([ask(OUTGOING), ask(INCOMING)])
}

/** Of an array as PostgreSQL writes it. */
function integersOf(text: string | null | undefined): number[] {
  return JSON.parse(`[${text?.slice(1, -1) ?? ''}]`)
}

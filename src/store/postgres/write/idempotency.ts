import type { Failure } from '../../../domain/failure.js'
import { keyReused, keySpent, stillRunning } from '../../../domain/failure.js'
import type { GraphId, Receipt } from '../../../domain/model.js'
import type { Append, Outcome } from '../../../log/group-commit.js'
import { IDEMPOTENCY_HOURS, type Idempotency } from '../../store.js'
import type { Session } from '../connection/session.js'

const CLAIM = {
  name: 'claim-key',
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, hashtext($2))) AS ours',
}
const FIND = {
  name: 'find-done',
  text: 'SELECT body, receipts FROM done_once WHERE graph_id = $1 AND key = $2 AND expires_at > $3',
}
const FORGET = {
  name: 'forget-done',
  text: 'DELETE FROM done_once WHERE graph_id = $1 AND expires_at <= $2',
}
const KEEP = {
  name: 'keep-done',
  text: 'INSERT INTO done_once (graph_id, key, body, receipts, expires_at) VALUES ($1, $2, $3, $4, $5)',
}

/** Claims the keys of the appends until the transaction ends; gives the error of each append whose key is claimed elsewhere. */
export async function claim(
  session: Session,
  graphId: GraphId,
  appends: readonly Append[],
): Promise<Map<Append, Failure>> {
  const refused = new Map<Append, Failure>()
  for (const append of appends) {
    if (append.once === undefined) continue
    const row = await session.row<{ ours: boolean }>(CLAIM, [append.once.key, graphId])
    if (row?.ours !== true) refused.set(append, stillRunning())
  }
  return refused
}

/** The outcome of the same append before, if its key is known. */
export async function replayed(
  session: Session,
  graphId: GraphId,
  { key, body }: Idempotency,
  now: () => Date,
): Promise<Outcome | undefined> {
  const row = await session.row<{ body: string; receipts: string }>(FIND, [graphId, key, now().toISOString()])
  if (row === undefined) return undefined
  // An erasure leaves the key, and nothing of what was written.
  if (row.body === '') return { error: keySpent() }
  if (row.body !== body) return { error: keyReused() }
  // The store wrote this text itself.
  return { receipts: JSON.parse(row.receipts) as Receipt[] }
}

/** Keeps the receipts, in the same transaction as their events. */
export async function keep(
  session: Session,
  graphId: GraphId,
  { key, body }: Idempotency,
  receipts: readonly Receipt[],
  now: () => Date,
): Promise<void> {
  const time = now()
  await session.rows(FORGET, [graphId, time.toISOString()])
  const end = new Date(time.getTime() + IDEMPOTENCY_HOURS * 3_600_000)
  await session.rows(KEEP, [graphId, key, body, JSON.stringify(receipts), end.toISOString()])
}

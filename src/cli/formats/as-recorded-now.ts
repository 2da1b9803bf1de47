import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import { type PastEvent, Recorder, statementOf } from '../../domain/events/recording.js'
import { contentOf } from '../../domain/events/same-event.js'
import { Failure } from '../../domain/failure.js'
import { judgedByText } from '../../domain/judgement/judged-by-text.js'
import type { JsonObject, MemoryId, NewMemory } from '../../domain/model.js'
import { Changes } from '../../domain/trust/claims/changes.js'
import { record } from '../../domain/trust/record.js'
import { ClaimTable } from '../../domain/trust/table.js'

const BATCH = 1000
const EMPTY = {
  lastSeq: 0,
  lastPlace: 0,
  lastId: undefined,
  lastRecordedAt: '',
  sameEvent: () => undefined,
  has: () => true,
}

/** Events as a graph would hold them had they been recorded now, in this order: with ids, times, sightings and decisions. */
export function* asRecordedNow(
  events: readonly NewMemory[],
  { now, randomBytes }: ClockAndRandom,
): Generator<PastEvent[]> {
  if (events.length === 0) throw new Failure('invalid_import', 'There is nothing to import.')
  const moment = now()
  const recorder = new Recorder(EMPTY, contentOf, { now: () => moment, randomBytes })
  const seen = new Map<MemoryId, number>()
  const payloads = new Map<MemoryId, JsonObject>()
  const claims = new ClaimTable()
  const judgement = judgedByText((id) => payloads.get(id))
  for (let start = 0; start < events.length; start += BATCH)
    yield events.slice(start, start + BATCH).map((event) => {
      const recorded = recorder.record(event).record
      const { id: memoryId, recordedAt, place } = recorded
      payloads.set(memoryId, event.payload)
      const changes = new Changes(claims)
      const { decisions } = record(statementOf(recorded, event.contextId), changes, judgement)
      claims.commit(changes)
      const timesSeen = (seen.get(memoryId) ?? 0) + 1
      seen.set(memoryId, timesSeen)
      return { memoryId, occurredAt: recordedAt, ...event, recordedAt, timesSeen, place, decisions }
    })
}

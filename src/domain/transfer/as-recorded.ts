import type { ClockAndRandom } from '../clock-and-random.js'
import { addedTo, type PastEvent, Recorder, statementOf } from '../events/recording.js'
import { contentOf } from '../events/same-event.js'
import { type Filed, judgedByText } from '../judgement/judged-by-text.js'
import type { MemoryId, NewMemory } from '../model.js'
import { Changes } from '../trust/claims/changes.js'
import { record } from '../trust/record.js'
import { ClaimTable } from '../trust/table.js'

const EMPTY = {
  lastSeq: 0,
  lastPlace: 0,
  lastId: undefined,
  lastRecordedAt: '',
  sameEvent: () => undefined,
  has: () => true,
  hasField: () => true,
}

/** Events as a new graph would hold them had they been recorded one by one: with ids, times, sightings and decisions. */
export class AsRecorded {
  readonly #recorder
  readonly #seen = new Map<MemoryId, number>()
  readonly #filed = new Map<MemoryId, Filed>()
  readonly #claims = new ClaimTable()
  readonly #judgement = judgedByText((id) => this.#filed.get(id))

  constructor(clockAndRandom: ClockAndRandom) {
    this.#recorder = new Recorder(EMPTY, contentOf, clockAndRandom)
  }

  next(event: NewMemory): PastEvent {
    const recorded = this.#recorder.record(event).record
    const { id: memoryId, recordedAt, occurredAt, place } = recorded
    this.#filed.set(memoryId, event)
    const changes = new Changes(this.#claims)
    const { decisions } = record(statementOf(recorded, event.contextId), changes, this.#judgement)
    this.#claims.commit(changes)
    const timesSeen = (this.#seen.get(memoryId) ?? 0) + 1
    this.#seen.set(memoryId, timesSeen)
    return { memoryId, ...event, ...addedTo(recorded), occurredAt, recordedAt, timesSeen, place, decisions }
  }
}

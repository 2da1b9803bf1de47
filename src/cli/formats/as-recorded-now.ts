import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { Failure } from '../../domain/failure.js'
import type { NewMemory } from '../../domain/model.js'
import { AsRecorded } from '../../domain/transfer/as-recorded.js'

const BATCH = 1000

/** Events as a graph would hold them had they been recorded now, in this order. */
export function* asRecordedNow(
  events: readonly NewMemory[],
  { now, randomBytes }: ClockAndRandom,
): Generator<PastEvent[]> {
  if (events.length === 0) throw new Failure('invalid_import', 'There is nothing to import.')
  const moment = now()
  const recorded = new AsRecorded({ now: () => moment, randomBytes })
  for (let start = 0; start < events.length; start += BATCH)
    yield events.slice(start, start + BATCH).map((event) => recorded.next(event))
}

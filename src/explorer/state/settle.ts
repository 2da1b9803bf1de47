import type { Memory, NewEvent, Source } from './types.js'

type Claimed = Pick<Memory, 'event_kind' | 'context_id' | 'payload' | 'valid_until'>

/** The same event once more: one more statement of the claim, which may also speak against others. */
export function confirmation(
  graph: string,
  memory: Claimed,
  source: Source,
  against: readonly string[],
  now: Date,
): NewEvent {
  const { event_kind, context_id, payload, valid_until } = memory
  return {
    graph_id: graph,
    event_kind,
    context_id,
    payload,
    source,
    ...(against.length > 0 && { contradicts: [...against] }),
    // The same event without it would say that it holds for ever.
    ...(valid_until !== undefined && new Date(valid_until) > now && { valid_until }),
  }
}

/** Something else in the place of the memories that it names, filed where the first of them is. */
export function correction(
  graph: string,
  memory: Claimed,
  source: Source,
  text: string,
  against: readonly string[],
): NewEvent {
  const field = Object.entries(memory.payload).find(([, value]) => typeof value === 'string')?.[0] ?? 'value'
  return {
    graph_id: graph,
    event_kind: memory.event_kind,
    context_id: memory.context_id,
    payload: { [field]: text },
    source,
    contradicts: [...against],
  }
}

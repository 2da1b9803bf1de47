import type { Memory, NewEvent, Source } from './types.js'

interface Claimed
  extends Pick<Memory, 'memory_id' | 'event_kind' | 'context_id' | 'payload' | 'valid_from' | 'valid_until'> {
  readonly replaced?: readonly { readonly field: string }[]
}

/**
 * The same event once more: one more statement of the claim, which may also speak against others. Where only a field is
 * disputed, or some of the memory no longer stands, it confirms just that field, or what stands: to state the rest again
 * would bring it back.
 */
export function confirmation(
  graph: string,
  memory: Claimed,
  source: Source,
  against: readonly string[],
  now: Date,
  field?: string,
): NewEvent {
  const { memory_id, event_kind, context_id, valid_from, valid_until, replaced = [] } = memory
  const all = Object.entries(memory.payload)
  const meant = all.filter(([name]) =>
    hasField(memory, field) ? name === field : !replaced.some((one) => one.field === name),
  )
  return {
    graph_id: graph,
    event_kind,
    context_id,
    payload: Object.fromEntries(meant),
    source,
    ...(meant.length < all.length && { reinforces: [memory_id] }),
    ...(against.length > 0 && { contradicts: [...against] }),
    // The same event without them would say that it holds from now on, and for ever.
    ...(valid_from !== undefined && new Date(valid_from) > now && { valid_from }),
    ...(valid_until !== undefined && new Date(valid_until) > now && { valid_until }),
  }
}

/** Something else in the place of the memories that it names, or of one field of theirs, filed where the first of them is. */
export function correction(
  graph: string,
  memory: Claimed,
  source: Source,
  text: string,
  against: readonly string[],
  field?: string,
): NewEvent {
  const [first, ...others] = Object.keys(memory.payload)
  // One sentence takes the place of a whole record: under one of its fields it would replace only that.
  const name = hasField(memory, field) ? field : others.length === 0 && first !== undefined ? first : 'text'
  return {
    graph_id: graph,
    event_kind: memory.event_kind,
    context_id: memory.context_id,
    payload: { [name]: typeof memory.payload[name] === 'number' && isNumber(text) ? Number(text) : text },
    source,
    contradicts: [...against],
  }
}

function hasField({ payload }: Claimed, field: string | undefined): field is string {
  return field !== undefined && Object.hasOwn(payload, field)
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

import type { components } from '../../client/index.js'
import { dayOf } from '../../domain/insight/statement.js'

type Schemas = components['schemas']
type Shown = Omit<Schemas['RecalledMemory'], 'score' | 'payload'>

/** A memory in its own words, and a line that says where it comes from. */
export function lineOf(memory: Shown, text: string): string {
  return `- ${flag(memory)}${quoted(text)}\n  ${memory.context_id} · ${originOf(memory)}\n`
}

/** The same where the context was named before. */
export function lineWithin(memory: Shown, text: string): string {
  return `- ${flag(memory)}${quoted(text)}\n  ${originOf(memory)}\n`
}

/** What such a line says, for programs. */
export function factsOf(memory: Shown, text: string) {
  const { memory_id, context_id, event_kind, source, confidence, status, disputed_by } = memory
  const { occurred_at, recorded_at, valid_from, valid_until } = memory
  return {
    ...{ memory_id, context_id, text, event_kind, source, confidence, status, occurred_at, recorded_at },
    ...(valid_from !== undefined && { valid_from }),
    ...(valid_until !== undefined && { valid_until }),
    disputed_by: disputed_by.slice(0, MAX_NAMED),
  }
}

/** How this server marks its own words, and says where a memory comes from. */
const LIKE_OURS = /\*\*| · |\btrust \d/
/** What `quoted` adds to a text. */
export const QUOTES = 2

/** A text that could be taken for words of this server is quoted; nothing in it ends the quotation. */
export function quoted(text: string): string {
  return LIKE_OURS.test(text) ? `“${text.replace(/[“”]/g, '"')}”` : text
}

function originOf(memory: Shown): string {
  const { memory_id, event_kind, source, confidence } = memory
  return `${memory_id} · ${event_kind} by ${source}, trust ${confidence.toFixed(2)} · ${datesOf(memory)}`
}

/** What does not stand now, or is contradicted, says so before anything else. */
function flag({ status, valid_from, occurred_at, disputed_by }: Shown): string {
  const flags = [
    ...(status === 'planned' ? [`From ${dayOf(valid_from ?? occurred_at)}`] : []),
    ...(status === 'current' || status === 'planned' ? [] : [FLAGS[status]]),
    ...(disputed_by.length === 0 ? [] : [`Disputed by ${disputed_by.slice(0, MAX_NAMED).join(', ')}`]),
  ]
  return flags.length === 0 ? '' : `**${flags.join('; ')}:** `
}

/** A line is for reading; whoever needs them all asks for the memory. */
const MAX_NAMED = 3

const FLAGS = {
  superseded: 'Replaced since',
  stale: 'Builds on something replaced since',
  expired: 'Expired',
} as const

/** Recording is what the service knows of; when it happened is what somebody said. */
function datesOf({ occurred_at, recorded_at, valid_from, valid_until, status }: Shown): string {
  const [occurred, recorded] = [occurred_at.slice(0, 10), recorded_at.slice(0, 10)]
  return [
    ...(occurred === recorded ? [] : [`of ${occurred}`]),
    `recorded ${recorded}`,
    ...(valid_from === undefined ? [] : [`valid from ${valid_from.slice(0, 10)}`]),
    ...(valid_until === undefined ? [] : [`valid until ${valid_until.slice(0, 10)}`]),
    ...(status === 'current' ? ['may be outdated'] : []),
  ].join(', ')
}

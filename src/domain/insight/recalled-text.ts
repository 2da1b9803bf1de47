import type { Ranked } from './rank.js'
import { fitting } from './sentences.js'
import { beginning } from './statement.js'

/**
 * Recalled memories as a Markdown list, ready for a prompt, and how many of them are in it. The list has at most `most`
 * characters: the first memory that does not fit is shortened if possible, the others are left out.
 */
export function toMarkdown(
  ranked: readonly Ranked[],
  most = Number.POSITIVE_INFINITY,
): { readonly memories: string; readonly told: number } {
  const fitted = fitting(ranked, most, ({ memory }) => memory.text, lineOf)
  return { memories: fitted.map(({ line }) => line).join(''), told: fitted.length }
}

/** The memories, in order, that fit whole into `most` characters together. */
export function withRoom(ranked: readonly Ranked[], most = Number.POSITIVE_INFINITY): readonly Ranked[] {
  let room = most
  return ranked.filter(({ memory }) => {
    const fits = memory.text.length <= room
    if (fits) room -= memory.text.length
    return fits
  })
}

function lineOf({ memory }: Ranked, text: string): string {
  const { status, confidence, disputedBy } = memory.trust
  const facts = [
    memory.occurredAt.slice(0, 10),
    memory.source,
    `confidence ${confidence.toFixed(2)}`,
    ...(status === 'current' ? [] : [status]),
    ...(disputedBy.length === 0 ? [] : ['disputed']),
  ]
  return `- **${memory.contextId}** (${facts.join(', ')}): ${beginning(memory)}${text}\n`
}

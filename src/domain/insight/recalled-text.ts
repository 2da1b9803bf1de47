import type { Ranked } from './rank.js'
import { shortened } from './sentences.js'
import { beginning } from './statement.js'

/**
 * Recalled memories as a Markdown list, ready for a prompt, and how many of them are in it. The list has at most `most`
 * characters: the first memory that does not fit is shortened if possible, the others are left out.
 */
export function toMarkdown(
  ranked: readonly Ranked[],
  most = Number.POSITIVE_INFINITY,
): { readonly memories: string; readonly told: number } {
  let memories = ''
  let told = 0
  let isTried = false
  for (const item of ranked) {
    const room = most - memories.length
    let line: string | undefined = lineOf(item, item.memory.text)
    if (line.length > room) {
      line = isTried ? undefined : shorterLine(item, room)
      isTried = true
    }
    if (line === undefined) continue
    memories += line
    told++
  }
  return { memories, told }
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

function shorterLine(item: Ranked, room: number): string | undefined {
  const text = shortened(item.memory.text, room - lineOf(item, '').length)
  return text === undefined ? undefined : lineOf(item, text)
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

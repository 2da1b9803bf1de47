import { SOURCES, type Source } from '../../../domain/model.js'
import { type Assessment, assess, MOST_AGREEMENTS, type Statement } from '../../../domain/trust/trust.js'
import { countUpTo, type MemoryRow, type StatedLink } from './rows.js'

const seqOf = ({ seq }: StatedLink) => seq

/** Most memories are never spoken of again, and what there is to say of those is the same for all of a source. */
const UNSPOKEN_OF = Object.fromEntries(SOURCES.map((source) => [source, assess(source, [])])) as Readonly<
  Record<Source, Assessment>
>

/**
 * What later memories make of one. Only the first few agreements move its confidence, so the rest are counted and not
 * looked at: a memory that is agreed with a million times is read as fast as any other.
 */
export function assessmentOf(memory: MemoryRow): Assessment {
  if (isUnspokenOf(memory)) return UNSPOKEN_OF[memory.source]
  const direct = memory.agreements.filter(({ by }) => by !== memory)
  const { first, count } = agreementsInContext(memory, direct)
  const early = [
    ...memory.sightings.slice(0, MOST_AGREEMENTS),
    ...direct.slice(0, MOST_AGREEMENTS).map(seqOf),
    ...first.map(seqOf),
  ]
  const statements: Statement[] = early.map((seq) => ({ kind: 'agrees', seq }))
  for (const { seq, by } of memory.contradictions) {
    const contested = (by.contradictions.at(-1)?.seq ?? 0) > seq
    statements.push({ kind: 'contradicts', seq, by: by.id, source: by.source, contested })
  }
  const assessment = assess(
    memory.source,
    statements.sort((a, b) => a.seq - b.seq),
  )
  return { ...assessment, agreement: memory.sightings.length + direct.length + count }
}

function isUnspokenOf({ sightings, agreements, contradictions, context }: MemoryRow): boolean {
  return (
    sightings.length === 0 &&
    agreements.length === 0 &&
    contradictions.length === 0 &&
    context.agreements.length === 0
  )
}

/** The later memories that reinforce the context as a whole, but for the memory itself and those that name it too. */
function agreementsInContext(
  memory: MemoryRow,
  direct: readonly StatedLink[],
): { first: readonly StatedLink[]; count: number } {
  const { agreements } = memory.context
  const start = countUpTo(agreements, memory.seq, seqOf)
  const counted = [memory, ...direct.map(({ by }) => by)].filter((by) => reinforces(by, memory.context.id))
  if (counted.length === 0)
    return { first: agreements.slice(start, start + MOST_AGREEMENTS), count: agreements.length - start }
  const elsewhere = new Set(counted)
  const others = agreements.slice(start).filter(({ by }) => !elsewhere.has(by))
  return { first: others.slice(0, MOST_AGREEMENTS), count: others.length }
}

function reinforces(by: MemoryRow, contextId: string): boolean {
  return by.links.some(({ kind, target }) => kind === 'reinforcement' && target === contextId)
}

import { toContext, toMemory } from '../state/route.js'
import type { Memory, MemoryStatement } from '../state/types.js'
import { When } from './marks.js'

interface StatementsProps {
  readonly graph: string
  readonly memory: Memory
  readonly statements: readonly MemoryStatement[]
}

const DID = {
  supersedes: 'replaced',
  disputes: 'contradicted',
  reinforces: 'confirmed',
  extends: 'built on',
  late: 'came before',
  noted: 'was noted beside',
} as const

/** Every event that states a memory: who, when, and what it did to others. */
export function Statements({ graph, memory, statements }: StatementsProps) {
  if (statements.length === 0) return <p class="loading small">Loading its statements …</p>
  return (
    <ol class="statements">
      {statements.map(({ place, own, event_id, source, occurred_at, bears_on }) => (
        <li key={`${place} ${event_id}`}>
          <When at={occurred_at} />{' '}
          {own ? (
            <span>
              {place === memory.place ? 'first said' : 'said again'} by {source}
            </span>
          ) : (
            <span>
              confirmed by {source} with <a href={toMemory(graph, event_id)}>another memory</a>
            </span>
          )}
          {bears_on
            .filter((bearing) => bearing.memory_id !== memory.memory_id)
            .map((bearing) => (
              <span key={`${bearing.memory_id} ${bearing.effect}`}>
                {'; '}
                {DID[bearing.effect]}{' '}
                <a href={toContext(graph, bearing.context_id, bearing.memory_id)}>
                  a memory of {bearing.context_id}
                </a>
              </span>
            ))}
          <span class="place"> · place {place}</span>
        </li>
      ))}
    </ol>
  )
}

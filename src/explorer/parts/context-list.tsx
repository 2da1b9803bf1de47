import { toContext } from '../state/route.js'
import type { ContextSummary } from '../state/types.js'
import { count, readable } from '../state/words.js'
import { When } from './marks.js'

interface ContextListProps {
  readonly graph: string
  readonly contexts: readonly ContextSummary[]
  readonly showsType?: boolean
}

export function ContextList({ graph, contexts, showsType = false }: ContextListProps) {
  return (
    <ul class="list">
      {contexts.map(({ context_id, context_type, context_name, memory_count, updated_at }) => (
        <li key={context_id}>
          <a class="list-item" href={toContext(graph, context_id)}>
            <span class="list-name">
              {showsType && <span class="type">{readable(context_type)}</span>}
              {readable(context_name)}
            </span>
            <span class="list-note">
              {count(memory_count, 'memory', 'memories')} · <When at={updated_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

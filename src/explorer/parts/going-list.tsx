import type { Memory } from '../state/types.js'
import { shortened } from '../state/words.js'
import { When } from './marks.js'

/** Memories that would go, each in a line. */
export function GoingList({ memories }: { memories: readonly Memory[] }) {
  return (
    <ol class="going">
      {memories.map(({ memory_id, context_id, text, source, occurred_at }) => (
        <li key={memory_id}>
          <span class="says">{shortened(text, 200)}</span>
          <span class="meta">
            <span>{context_id}</span>
            <span>by {source}</span>
            <When at={occurred_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

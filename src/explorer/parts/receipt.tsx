import { toContext } from '../state/route.js'
import type { RecordedEvent } from '../state/types.js'
import { effect } from '../state/words.js'

interface ReceiptProps {
  readonly graph: string
  readonly receipt: RecordedEvent
  readonly texts: ReadonlyMap<string, string>
}

/** What recording would do, in words. */
export function Receipt({ graph, receipt, texts }: ReceiptProps) {
  const { status, bears_on, confidence, context_id } = receipt
  return (
    <div class="receipt" role="status">
      <p>
        {status === 'duplicate'
          ? 'It would be one more statement of what is known'
          : 'It would be a new memory'}{' '}
        in {context_id}, with confidence {confidence.toFixed(2)}.
      </p>
      {bears_on.length === 0 ? (
        <p>It would change nothing of any other memory.</p>
      ) : (
        <ul>
          {bears_on.map((bearing) => (
            <li key={`${bearing.memory_id} ${bearing.effect}`}>
              It {effect(bearing.effect)}{' '}
              <a href={toContext(graph, bearing.context_id, bearing.memory_id)}>
                {texts.has(bearing.memory_id)
                  ? `“${texts.get(bearing.memory_id)}”`
                  : `a memory of ${bearing.context_id}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

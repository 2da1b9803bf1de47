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
  const { status, bears_on, confidence, context_id, unresolved = [] } = receipt
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
          {bears_on.map(({ memory_id, context_id: of, effect: what, fields = [] }) => (
            <li key={`${memory_id} ${what}`}>
              It {effect(what)} {fields.length > 0 && `${fields.join(', ')} of `}
              {of === undefined ? (
                memory_id
              ) : (
                <a href={toContext(graph, of, memory_id)}>
                  {texts.has(memory_id) ? `“${texts.get(memory_id)}”` : `a memory of ${of}`}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {unresolved.map(({ path, target, candidates }) => (
        <p key={path}>
          It is not clear what is meant of {target}, so nothing of it would change.
          {candidates.length > 0 &&
            ` Link one of these instead: ${candidates.map(({ send }) => send).join(', ')}.`}
        </p>
      ))}
    </div>
  )
}

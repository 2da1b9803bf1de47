import { useState } from 'preact/hooks'
import type { Memory } from '../state/types.js'
import { number, readable } from '../state/words.js'

const LONG = 700
/** Names of fields that say no more than that something is said. */
const UNSAID = new Set([
  'value',
  'data',
  'text',
  'fact',
  'decision',
  'action',
  'observation',
  'feedback',
  'probe',
])

/** What a memory says, always as text: its first field as a sentence, the others below it with their names. */
export function MemoryBody({ memory }: { memory: Pick<Memory, 'payload' | 'status'> }) {
  const [[field = '', first] = [], ...others] = Object.entries(memory.payload)
  const isReplaced = memory.status === 'superseded'
  return (
    <div class={isReplaced ? 'body muted' : 'body'}>
      <p class="says">
        {!UNSAID.has(field) && <span class="muted">{readable(field)}: </span>}
        {isReplaced ? (
          <s>
            <Long text={asText(first)} />
          </s>
        ) : (
          <Long text={asText(first)} />
        )}
      </p>
      {others.length > 0 && (
        <dl class="fields">
          {others.map(([name, value]) => (
            <div key={name}>
              <dt class="muted">{name}</dt>
              <dd>
                <Long text={asText(value)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function Long({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= LONG) return <>{text}</>
  return (
    <>
      {isWhole ? text : `${text.slice(0, LONG)}…`}{' '}
      <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${number(text.length)} characters`}
      </button>
    </>
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

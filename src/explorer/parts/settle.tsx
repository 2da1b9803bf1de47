import { useState } from 'preact/hooks'
import { answered, type Refusal, toRefusal } from '../state/refusal.js'
import { toContext } from '../state/route.js'
import { useSession } from '../state/session.js'
import type { NewEvent, RecordedEvent, Source } from '../state/types.js'
import { EFFECTS } from '../state/words.js'

const SOURCES: readonly Source[] = ['user', 'validator', 'executor', 'agent', 'system']

/** One of the ways in which a question can be settled. */
export interface Way {
  readonly label: string
  readonly title: string
  /** Must the user type the correct value? */
  readonly asksForText?: true
  draft(source: Source, text: string): NewEvent
}

interface SettleProps {
  readonly graph: string
  readonly way: Way
  readonly texts: ReadonlyMap<string, string>
  done(receipt: RecordedEvent): void
  cancel(): void
}

interface Preview {
  readonly event: NewEvent
  readonly receipt: RecordedEvent
}

/** Records something to settle a question, and shows first what that would do. */
export function Settle({ graph, way, texts, done, cancel }: SettleProps) {
  const { client } = useSession()
  const [source, setSource] = useState<Source>('user')
  const [text, setText] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isSending, setSending] = useState(false)
  const send = async (work: () => Promise<void>) => {
    setSending(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (reason) {
      setRefusal(toRefusal(reason))
    }
    setSending(false)
  }
  const runPreview = () =>
    send(async () => {
      const event = way.draft(source, text.trim())
      const body = { ...event, dry_run: true }
      setPreview({ event, receipt: await answered(client.POST('/v1/events', { body })) })
    })
  const record = ({ event }: Preview) =>
    send(async () => done(await answered(client.POST('/v1/events', { body: event }))))
  const change = (set: () => void) => {
    set()
    setPreview(undefined)
  }
  return (
    <form
      class="settle"
      aria-label={way.title}
      onSubmit={(event) => {
        event.preventDefault()
        void runPreview()
      }}
    >
      <p class="settle-title">{way.title}</p>
      {way.asksForText && (
        <label>
          Correct value
          <textarea
            rows={2}
            required
            disabled={isSending}
            maxLength={4000}
            value={text}
            onInput={(event) => change(() => setText(event.currentTarget.value))}
          />
        </label>
      )}
      <label>
        Source
        <select
          value={source}
          disabled={isSending}
          onChange={(event) => {
            const chosen = SOURCES.find((one) => one === event.currentTarget.value) ?? 'user'
            change(() => setSource(chosen))
          }}
        >
          {SOURCES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      {refusal !== undefined && (
        <p class="error" role="alert">
          {refusal.message}
        </p>
      )}
      {preview !== undefined && <Receipt graph={graph} receipt={preview.receipt} texts={texts} />}
      <div class="row">
        {preview === undefined ? (
          <button type="submit" class="primary" disabled={isSending}>
            Preview
          </button>
        ) : (
          <button type="button" class="primary" disabled={isSending} onClick={() => record(preview)}>
            Record it
          </button>
        )}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

interface ReceiptProps {
  readonly graph: string
  readonly receipt: RecordedEvent
  readonly texts: ReadonlyMap<string, string>
}

/** What recording would do, in words. */
function Receipt({ graph, receipt, texts }: ReceiptProps) {
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
          {bears_on.map(({ memory_id, context_id: of, effect, fields = [] }) => (
            <li key={`${memory_id} ${effect}`}>
              It {EFFECTS[effect]} {fields.length > 0 && `${fields.join(', ')} of `}
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

import { useState } from 'preact/hooks'
import { answered, type Refusal, toRefusal } from '../state/refusal.js'
import { useSession } from '../state/session.js'
import type { NewEvent, RecordedEvent, Source } from '../state/types.js'
import { Receipt } from './receipt.js'

const SOURCES: readonly Source[] = ['user', 'validator', 'executor', 'agent', 'system']

interface SettleProps {
  readonly graph: string
  readonly title: string
  /** The reader writes what is right; otherwise it is known. */
  readonly asksForText: boolean
  readonly texts: ReadonlyMap<string, string>
  draft(source: Source, text: string): NewEvent
  done(receipt: RecordedEvent): void
  cancel(): void
}

interface Tried {
  readonly event: NewEvent
  readonly receipt: RecordedEvent
}

/** Records something to settle a question, and shows first what that would do. */
export function Settle({ graph, title, asksForText, texts, draft, done, cancel }: SettleProps) {
  const { client } = useSession()
  const [source, setSource] = useState<Source>('user')
  const [text, setText] = useState('')
  const [tried, setTried] = useState<Tried>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isAsking, setAsking] = useState(false)
  const send = async (work: () => Promise<void>) => {
    setAsking(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (reason) {
      setRefusal(toRefusal(reason))
    }
    setAsking(false)
  }
  const tryIt = () =>
    send(async () => {
      const event = draft(source, text.trim())
      setTried({
        event,
        receipt: await answered(client.POST('/v1/events', { body: { ...event, dry_run: true } })),
      })
    })
  const record = ({ event }: Tried) =>
    send(async () => done(await answered(client.POST('/v1/events', { body: event }))))
  const change = (set: () => void) => {
    set()
    setTried(undefined)
  }
  return (
    <form
      class="settle"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        void tryIt()
      }}
    >
      <p class="settle-title">{title}</p>
      {asksForText && (
        <label>
          What is right
          <textarea
            rows={2}
            required
            maxLength={4000}
            value={text}
            onInput={(event) => change(() => setText(event.currentTarget.value))}
          />
        </label>
      )}
      <label>
        Said by
        <select
          value={source}
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
      {tried !== undefined && <Receipt graph={graph} receipt={tried.receipt} texts={texts} />}
      <div class="row">
        {tried === undefined ? (
          <button type="submit" class="primary" disabled={isAsking}>
            See what it would do
          </button>
        ) : (
          <button type="button" class="primary" disabled={isAsking} onClick={() => record(tried)}>
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

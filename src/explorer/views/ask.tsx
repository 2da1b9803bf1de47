import { Heading } from '../parts/heading.js'
import { Trust } from '../parts/marks.js'
import { WhenLoaded } from '../parts/notice.js'
import { isNothing, parted } from '../parts/told.js'
import { useLive } from '../state/live.js'
import { useLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { go, toAsk, toContext, toGraph } from '../state/route.js'
import type { Evidence, Insight } from '../state/types.js'
import { count, shortened } from '../state/words.js'

interface AskProps {
  readonly graph: string
  readonly task: string
  /** A day, such as 2026-03-02. */
  readonly day: string
}

/** A question, and what the graph has to say to it. */
export function Ask({ graph, task, day }: AskProps) {
  return (
    <>
      <Heading title="Ask" crumbs={[{ href: toGraph(graph), label: graph }]} />
      <form
        class="card ask"
        key={`${task} ${day}`}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const wanted = String(form.get('task') ?? '').trim()
          if (wanted !== '') go(toAsk(graph, { task: wanted, as_of: String(form.get('as_of') ?? '') }))
        }}
      >
        <label for="task">Your question or task</label>
        <textarea
          id="task"
          name="task"
          rows={2}
          maxLength={4000}
          required
          defaultValue={task}
          placeholder="Which test runner do we use?"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        <div class="row">
          <label for="as_of">As it stood at the end of</label>
          <input id="as_of" name="as_of" type="date" defaultValue={day} />
          <button type="submit" class="primary">
            Ask
          </button>
        </div>
      </form>
      {task !== '' && <Answer graph={graph} task={task} day={day} />}
    </>
  )
}

function Answer({ graph, task, day }: AskProps) {
  const { version } = useLive()
  const loaded = useLoad(
    `ask ${graph} ${day} ${task}`,
    (client) =>
      answered(
        client.POST('/v1/memories/insights', {
          body: {
            graph_id: graph,
            task,
            explain: true,
            ...(day !== '' && { as_of: day }),
          },
        }),
      ),
    // The past does not change.
    day === '' ? version : 0,
  )
  return (
    <WhenLoaded
      loaded={loaded}
      what="what is known of it"
      back={{ href: toAsk(graph), label: 'Ask something else' }}
    >
      {(insight) => <Finding graph={graph} insight={insight} day={day} />}
    </WhenLoaded>
  )
}

const MEANS = {
  high: 'The first line almost certainly answers, and nothing speaks against it: act on it.',
  medium: 'The first line may answer, or something speaks against it: check before acting.',
  low: 'The first line probably does not answer.',
}

function Finding({ graph, insight, day }: { graph: string; insight: Insight; day: string }) {
  const { confidence, score, reasons = [], evidence = [], unread } = insight
  const { told, beside } = isNothing(insight) ? { told: [], beside: evidence } : parted(evidence)
  const isPast = day !== ''
  const [first = '', ...others] = insight.insight.split('\n')
  return (
    <section aria-label="Answer" class="finding">
      <p class="says">{first}</p>
      {others.length > 0 && <p class="beside">{others.join('\n')}</p>}
      <p class="recommendation">
        <span class="label">Recommendation</span>
        {insight.recommendation}
      </p>
      <div class="confidence">
        <p>
          <span class={`level tone-${confidence}`}>Confidence: {confidence}</span>
          {score !== undefined && <Trust value={score} of="Probability" />}
        </p>
        <p class="muted">
          {isNothing(insight) ? 'The graph most likely does not hold the answer.' : MEANS[confidence]}
        </p>
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        {unread !== undefined && unread > 0 && (
          <p class="muted">{count(unread, 'memory', 'memories')} had not been read for meaning yet.</p>
        )}
      </div>
      <Pieces title="What it rests on" evidence={told} {...{ graph, isPast }} showsRole />
      <Pieces
        title={isNothing(insight) ? 'Found, but no answer' : 'Found beside it'}
        evidence={beside}
        {...{ graph, isPast }}
      />
    </section>
  )
}

const ROLES = {
  supports: 'supports it',
  extends: 'adds to it',
  contradicts: 'speaks against it',
  superseded: 'no longer stands',
}
const FOUND = { words: 'words', meaning: 'meaning', link: 'a link', filter: 'its context' }

interface PiecesProps {
  readonly title: string
  readonly graph: string
  readonly evidence: readonly Evidence[]
  readonly isPast: boolean
  /** Whether it is said what each does for the answer. */
  readonly showsRole?: boolean
}

function Pieces({ title, graph, evidence, isPast, showsRole = false }: PiecesProps) {
  if (evidence.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ol class="evidence">
        {evidence.map(({ memory_id, context_id, text, role, relevance, found_by, confidence }) => (
          <li key={memory_id} class={`piece piece-${role}`}>
            <a href={toContext(graph, context_id, memory_id)}>{shortened(text, 400)}</a>
            <p class="meta">
              {showsRole && <span class={`mark tone-${role}`}>{ROLES[role]}</span>}
              <span>{context_id}</span>
              <span>found by {found_by.map((way) => FOUND[way]).join(' and ')}</span>
              <Trust value={relevance} of="Fits" />
              <span>
                confidence {confidence.toFixed(2)}
                {isPast && ' then'}
              </span>
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

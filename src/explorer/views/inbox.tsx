import { useState } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { Trust, When } from '../parts/marks.js'
import { MemoryBody } from '../parts/memory-body.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { Settle } from '../parts/settle.js'
import { useLive } from '../state/live.js'
import { useLoad } from '../state/load.js'
import { type May, useMay } from '../state/may.js'
import { answered } from '../state/refusal.js'
import { toContext, toGraph } from '../state/route.js'
import { useSession } from '../state/session.js'
import { confirmation, correction } from '../state/settle.js'
import type { Dispute, Memory, StaleMemory } from '../state/types.js'
import { count, number, shortened } from '../state/words.js'

const PAGE = 50

/** What is open: contradictions, and what builds on something replaced. Settled by recording. */
export function Inbox({ graph }: { graph: string }) {
  const { client } = useSession()
  const { version } = useLive()
  const may = useMay()
  const params = { path: { graph_id: graph }, query: { page_size: PAGE } }
  const loaded = useLoad(
    `inbox ${graph}`,
    async () => ({
      disputes: await answered(client.GET('/v1/graphs/{graph_id}/disputes', { params })),
      stale: await answered(client.GET('/v1/graphs/{graph_id}/stale', { params })),
    }),
    version,
  )
  return (
    <>
      <Heading title="Inbox" crumbs={[{ href: toGraph(graph), label: graph }]}>
        <p class="lead">What somebody should settle, by saying what holds.</p>
      </Heading>
      <WhenLoaded loaded={loaded} what="what is open" back={{ href: '#/', label: 'All graphs' }}>
        {({ disputes, stale }) =>
          disputes.total + stale.total === 0 ? (
            <Notice title="Nothing is open">
              <p>No two memories contradict each other, and nothing builds on what was replaced.</p>
            </Notice>
          ) : (
            <>
              <section aria-labelledby="disputes">
                <h2 id="disputes">Disputed ({disputes.total})</h2>
                {disputes.total === 0 && <p class="muted">No two memories contradict each other.</p>}
                {disputes.disputes.map((dispute) => (
                  <OpenDispute
                    key={`${dispute.earlier.memory_id} ${dispute.later.memory_id} ${dispute.field}`}
                    {...{ graph, dispute, may, settled: loaded.reload }}
                  />
                ))}
                <Rest shown={disputes.disputes.length} total={disputes.total} />
              </section>
              <section aria-labelledby="stale">
                <h2 id="stale">
                  Stale ({number(stale.total)}
                  {stale.more_stale && ' or more'})
                </h2>
                {stale.total === 0 && <p class="muted">Nothing builds on what was replaced.</p>}
                {stale.stale.map((one) => (
                  <Stale key={one.memory.memory_id} {...{ graph, stale: one, may, settled: loaded.reload }} />
                ))}
                <Rest shown={stale.stale.length} total={stale.total} />
              </section>
            </>
          )
        }
      </WhenLoaded>
    </>
  )
}

interface Common {
  readonly graph: string
  readonly may: May
  settled(): void
}

type Choice = 'earlier' | 'later' | 'neither'

function OpenDispute({ graph, dispute, may, settled }: Common & { dispute: Dispute }) {
  const { choice, choose, isRecorded, ends } = useSettling<Choice>(settled)
  const { earlier, later, since, field } = dispute
  const ids = [earlier.memory_id, later.memory_id]
  const other = choice === 'earlier' ? later : earlier
  return (
    <article class="card" aria-label={`Dispute in ${later.context_id}`}>
      <p class="meta">
        <span class="mark mark-disputed">Disputed</span>
        <span>
          since <When at={since} />
        </span>
        {field !== undefined && <span>about {field}</span>}
      </p>
      <div class="sides">
        <Side graph={graph} memory={earlier} label="Earlier" />
        <Side graph={graph} memory={later} label="Later" />
      </div>
      {isRecorded && <StillOpen />}
      {may.write && choice === undefined && (
        <div class="row">
          <button type="button" onClick={() => choose('earlier')}>
            The earlier holds
          </button>
          <button type="button" onClick={() => choose('later')}>
            The later holds
          </button>
          <button type="button" onClick={() => choose('neither')}>
            Neither …
          </button>
        </div>
      )}
      {choice !== undefined && (
        <Settle
          key={choice}
          graph={graph}
          title={choice === 'neither' ? 'Say what is right' : `Say that the ${choice} holds`}
          asksForText={choice === 'neither'}
          texts={textsOf([earlier, later])}
          draft={(source, text) =>
            choice === 'neither'
              ? correction(graph, later, source, text, ids, field)
              : confirmation(
                  graph,
                  choice === 'later' ? later : earlier,
                  source,
                  [other.memory_id],
                  new Date(),
                  field,
                )
          }
          {...ends}
        />
      )}
    </article>
  )
}

function Stale({ graph, stale, may, settled }: Common & { stale: StaleMemory }) {
  const { choice, choose, isRecorded, ends } = useSettling<'holds' | 'correct'>(settled)
  const { memory, because } = stale
  return (
    <article class="card" aria-label={`Stale in ${memory.context_id}`}>
      <p class="meta">
        <span class="mark mark-stale">Stale</span>
        {because.map(({ memory_id, context_id }) => (
          <span key={memory_id}>
            builds on <a href={toContext(graph, context_id, memory_id)}>{context_id}</a>, which was replaced
          </span>
        ))}
      </p>
      <Side graph={graph} memory={memory} label="Recorded" />
      {isRecorded && <StillOpen />}
      {may.write && choice === undefined && (
        <div class="row">
          <button type="button" onClick={() => choose('holds')}>
            It still holds
          </button>
          <button type="button" onClick={() => choose('correct')}>
            Correct it …
          </button>
        </div>
      )}
      {choice !== undefined && (
        <Settle
          key={choice}
          graph={graph}
          title={choice === 'holds' ? 'Say that it still holds' : 'Say what is right'}
          asksForText={choice === 'correct'}
          texts={textsOf([memory])}
          draft={(source, text) =>
            choice === 'holds'
              ? confirmation(graph, memory, source, [], new Date())
              : correction(graph, memory, source, text, [memory.memory_id])
          }
          {...ends}
        />
      )}
    </article>
  )
}

/** How a card is settled: what was chosen, whether something was recorded, and the two ways in which it ends. */
function useSettling<Way extends string>(settled: () => void) {
  const [choice, choose] = useState<Way>()
  const [isRecorded, setRecorded] = useState(false)
  const cancel = () => choose(undefined)
  const done = () => {
    cancel()
    setRecorded(true)
    settled()
  }
  return { choice, choose, isRecorded, ends: { done, cancel } }
}

/** What is settled leaves the list, so that this is seen only where something was recorded in vain. */
function StillOpen() {
  return (
    <p class="strip" role="status">
      It was recorded. What is still listed here is not settled by it: the source did not rank high enough.
    </p>
  )
}

function Side({ graph, memory, label }: { graph: string; memory: Memory; label: string }) {
  return (
    <div class="side">
      <MemoryBody memory={memory} />
      <p class="meta">
        <span>
          {label} <When at={memory.occurred_at} /> by {memory.source}
        </span>
        <a href={toContext(graph, memory.context_id, memory.memory_id)}>{memory.context_id}</a>
        <Trust value={memory.confidence} />
      </p>
    </div>
  )
}

function Rest({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null
  return <p class="muted">And {count(total - shown, 'more')}, which come as these are settled.</p>
}

const textsOf = (memories: readonly Memory[]) =>
  new Map(memories.map(({ memory_id, text }) => [memory_id, shortened(text, 80)]))

import { useState } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { Trust, When } from '../parts/marks.js'
import { MemoryBody } from '../parts/memory-body.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { Settle, type Way } from '../parts/settle.js'
import { useLiveLoad } from '../state/load.js'
import { type May, useMay } from '../state/may.js'
import { answered } from '../state/refusal.js'
import { toContext, toGraph } from '../state/route.js'
import { confirmation, correction } from '../state/settle.js'
import type { Dispute, Memory, StaleMemory } from '../state/types.js'
import { count, number, shortened } from '../state/words.js'

const PAGE = 50

/** What is open: contradictions, and what builds on something replaced. Settled by recording. */
export function Inbox({ graph }: { graph: string }) {
  const may = useMay()
  const params = { path: { graph_id: graph }, query: { page_size: PAGE } }
  const loaded = useLiveLoad(`inbox ${graph}`, async (client) => ({
    disputes: await answered(client.GET('/v1/graphs/{graph_id}/disputes', { params })),
    stale: await answered(client.GET('/v1/graphs/{graph_id}/stale', { params })),
  }))
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

function OpenDispute({ graph, dispute, may, settled }: Common & { dispute: Dispute }) {
  const { earlier, later, since, field } = dispute
  const ids = [earlier.memory_id, later.memory_id]
  const holds = (which: 'earlier' | 'later', memory: Memory, other: Memory): Way => ({
    label: `The ${which} holds`,
    title: `Say that the ${which} holds`,
    draft: (source) => confirmation(graph, memory, source, [other.memory_id], new Date(), field),
  })
  const ways: readonly Way[] = [
    holds('earlier', earlier, later),
    holds('later', later, earlier),
    {
      label: 'Neither …',
      title: 'Say what is right',
      asksForText: true,
      draft: (source, text) => correction(graph, later, source, text, ids, field),
    },
  ]
  return (
    <article class="card" aria-label={`Dispute in ${later.context_id}`}>
      <p class="meta">
        <span class="mark tone-disputed">Disputed</span>
        <span>
          since <When at={since} />
        </span>
        {field !== undefined && <span>about {field}</span>}
      </p>
      <div class="sides">
        <Side graph={graph} memory={earlier} label="Earlier" />
        <Side graph={graph} memory={later} label="Later" />
      </div>
      <Settling {...{ graph, may, settled, ways }} about={[earlier, later]} />
    </article>
  )
}

function Stale({ graph, stale, may, settled }: Common & { stale: StaleMemory }) {
  const { memory, because } = stale
  const ways: readonly Way[] = [
    {
      label: 'It still holds',
      title: 'Say that it still holds',
      draft: (source) => confirmation(graph, memory, source, [], new Date()),
    },
    {
      label: 'Correct it …',
      title: 'Say what is right',
      asksForText: true,
      draft: (source, text) => correction(graph, memory, source, text, [memory.memory_id]),
    },
  ]
  return (
    <article class="card" aria-label={`Stale in ${memory.context_id}`}>
      <p class="meta">
        <span class="mark tone-stale">Stale</span>
        {because.map(({ memory_id, context_id }) => (
          <span key={memory_id}>
            builds on <a href={toContext(graph, context_id, memory_id)}>{context_id}</a>, which was replaced
          </span>
        ))}
      </p>
      <Side graph={graph} memory={memory} label="Recorded" />
      <Settling {...{ graph, may, settled, ways }} about={[memory]} />
    </article>
  )
}

interface SettlingProps extends Common {
  readonly ways: readonly Way[]
  readonly about: readonly Memory[]
}

/** How a card is settled: the ways to choose from, and what is recorded the chosen way. */
function Settling({ graph, may, settled, ways, about }: SettlingProps) {
  const [choice, choose] = useState<string>()
  const [isRecorded, setRecorded] = useState(false)
  const way = ways.find(({ label }) => label === choice)
  const cancel = () => choose(undefined)
  const done = () => {
    cancel()
    setRecorded(true)
    settled()
  }
  return (
    <>
      {/* What is settled leaves the list, so that this is seen only where something was recorded in vain. */}
      {isRecorded && (
        <p class="strip" role="status">
          It was recorded. What is still listed here is not settled by it: the source did not rank high
          enough.
        </p>
      )}
      {may.write && way === undefined && (
        <div class="row">
          {ways.map(({ label }) => (
            <button key={label} type="button" onClick={() => choose(label)}>
              {label}
            </button>
          ))}
        </div>
      )}
      {way !== undefined && (
        <Settle
          key={way.label}
          {...{ graph, way, done, cancel }}
          texts={new Map(about.map(({ memory_id, text }) => [memory_id, shortened(text, 80)]))}
        />
      )}
    </>
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

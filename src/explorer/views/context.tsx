import { useEffect } from 'preact/hooks'
import { Claim } from '../parts/claim.js'
import { Heading } from '../parts/heading.js'
import { When } from '../parts/marks.js'
import { LinkButton, Notice, WhenLoaded } from '../parts/notice.js'
import { Track } from '../pictures/track.js'
import { type Belief, useBelief } from '../state/belief.js'
import { useMay } from '../state/may.js'
import { toAround, toContexts, toErase, toGraph } from '../state/route.js'
import { count, readable, shortened } from '../state/words.js'

interface ContextProps {
  readonly graph: string
  readonly type: string
  readonly name: string
  /** The memory that a link led to. */
  readonly memory?: string | undefined
}

/** A context as a timeline of belief. */
export function Context({ graph, type, name, memory }: ContextProps) {
  const { loaded, more } = useBelief(graph, type, name)
  const may = useMay()
  const id = `${type}:${name}`
  const crumbs = [
    { href: toGraph(graph), label: graph },
    { href: toContexts(graph), label: 'Contexts' },
    { href: toContexts(graph, type), label: readable(type) },
  ]
  const actions = (
    <>
      <LinkButton href={toAround(graph, id)} label="Around it" />
      {may.write && <LinkButton href={toErase(graph, { context: id })} label="Erase …" />}
    </>
  )
  return (
    <>
      <Heading title={readable(name)} crumbs={crumbs} actions={loaded.data && actions}>
        {loaded.data !== undefined && (
          <p class="lead">
            {count(loaded.data.total, 'memory', 'memories')} · last changed{' '}
            <When at={loaded.data.updatedAt} />
          </p>
        )}
      </Heading>
      <WhenLoaded
        loaded={loaded}
        what="what is believed here"
        back={{ href: toContexts(graph), label: 'All contexts' }}
      >
        {(belief) => (
          <>
            <Threads graph={graph} belief={belief} focused={memory} mayErase={may.write} />
            {belief.total > belief.memories.length && (
              <p class="row">
                <button
                  type="button"
                  onClick={more}
                  disabled={loaded.isLoading || belief.memories.length >= 500}
                >
                  Show older
                </button>
                <span class="muted">
                  {belief.memories.length} of {belief.total} are shown
                </span>
              </p>
            )}
          </>
        )}
      </WhenLoaded>
    </>
  )
}

interface ThreadsProps {
  readonly graph: string
  readonly belief: Belief
  readonly focused: string | undefined
  readonly mayErase: boolean
}

function Threads({ graph, belief, focused, mayErase }: ThreadsProps) {
  const { timeline, memories, because } = belief
  useEffect(() => {
    if (focused === undefined) return
    const claim = document.getElementById(focused)
    claim?.scrollIntoView({ block: 'center' })
    claim?.focus({ preventScroll: true })
  }, [focused])
  if (memories.length === 0)
    return (
      <Notice title="Nothing is filed here yet">
        <p>Other memories link to this context. What lies around it says which.</p>
      </Notice>
    )
  const texts = new Map(memories.map(({ memory_id, text }) => [memory_id, shortened(text, 80)]))
  const first = timeline.moments[0]
  const last = timeline.moments.at(-1)
  return (
    <section aria-label="Timeline of belief" class="timeline">
      <div class="axis" aria-hidden="true">
        <span class="axis-line">
          {first && <When at={first.at} />}
          {last && last !== first && <When at={last.at} />}
        </span>
      </div>
      {focused !== undefined && !texts.has(focused) && (
        <p class="strip" role="status">
          The memory that this link led to is not among those shown here. It may be older, or gone.
        </p>
      )}
      {timeline.threads.map((thread) => (
        <div class="thread" key={thread.key}>
          {thread.rows.map((lanes, row) => (
            <div class="lanes" key={lanes[0]?.memory.memory_id}>
              <div class={lanes.length > 1 ? 'claims claims-side' : 'claims'}>
                {lanes.map((lane) => (
                  <Claim
                    key={lane.memory.memory_id}
                    graph={graph}
                    lane={lane}
                    texts={texts}
                    because={because.get(lane.memory.memory_id)}
                    isFocused={lane.memory.memory_id === focused}
                    mayErase={mayErase}
                  />
                ))}
              </div>
              <Track thread={thread} row={row} steps={timeline.moments.length} />
            </div>
          ))}
        </div>
      ))}
    </section>
  )
}

import { Brief } from '../parts/brief.js'
import { Heading } from '../parts/heading.js'
import { When } from '../parts/marks.js'
import { LinkButton, WhenLoaded } from '../parts/notice.js'
import { Growth, Shares } from '../pictures/plots.js'
import { useLive } from '../state/live.js'
import { useLiveLoad } from '../state/load.js'
import { useMay } from '../state/may.js'
import { answered } from '../state/refusal.js'
import { toContext, toContexts, toErase, toInbox } from '../state/route.js'
import type { GraphDetail } from '../state/types.js'
import { count, number, readable, STATUS } from '../state/words.js'

/** When not all stale memories are found, the others count among those that stand. */
const AT_LEAST = { ...STATUS, current: 'Stands, at most', stale: 'Stale, at least' }

/** A graph in numbers, and what to know of it first. */
export function Graph({ graph }: { graph: string }) {
  const may = useMay()
  const params = { path: { graph_id: graph } }
  const loaded = useLiveLoad(`graph ${graph}`, async (client) => {
    const one = { ...params, query: { page_size: 1 } }
    const [detail, { brief }, disputes, stale] = await Promise.all([
      answered(client.GET('/v1/graphs/{graph_id}', { params })),
      answered(client.GET('/v1/graphs/{graph_id}/brief', { params })),
      answered(client.GET('/v1/graphs/{graph_id}/disputes', { params: one })),
      answered(client.GET('/v1/graphs/{graph_id}/stale', { params: one })),
    ])
    return { detail, brief, open: disputes.total + stale.total }
  })
  return (
    <>
      <Heading
        title={graph}
        crumbs={[{ href: '#/', label: 'Graphs' }]}
        actions={may.admin && loaded.data && <LinkButton href={toErase(graph)} label="Erase …" />}
      />
      <WhenLoaded loaded={loaded} what="the graph" back={{ href: '#/', label: 'All graphs' }}>
        {({ detail, brief, open }) => (
          <>
            <Counts graph={graph} detail={detail} open={open} />
            <JustNow graph={graph} />
            <div class="plots">
              <Growth months={detail.by_month} />
              <Shares
                title="What stands"
                counts={detail.by_status}
                names={detail.more_stale ? AT_LEAST : STATUS}
              />
              <Shares title="Who says so" counts={detail.by_source} />
            </div>
            <div class="columns">
              <section aria-labelledby="brief">
                <h2 id="brief">In brief</h2>
                <Brief text={brief} />
              </section>
              <section aria-labelledby="types">
                <h2 id="types">Where it is filed</h2>
                <Types graph={graph} types={detail.by_context_type} />
              </section>
            </div>
          </>
        )}
      </WhenLoaded>
    </>
  )
}

function Counts({ graph, detail, open }: { graph: string; detail: GraphDetail; open: number }) {
  const { memories, contexts, relationships, unread, more_stale } = detail
  return (
    <>
      <ul class="counts">
        <Figure value={memories} one="memory" many="memories" />
        <Figure value={contexts} one="context" many="contexts" href={toContexts(graph)} />
        <Figure value={relationships} one="link" many="links" />
        <Figure
          value={open}
          one="open question"
          many={more_stale ? 'open questions or more' : 'open questions'}
          href={toInbox(graph)}
        />
      </ul>
      {unread > 0 && (
        <p class="strip" role="status">
          {count(unread, 'memory is', 'memories are')} still to be read for meaning, and found by words alone
          until then.
        </p>
      )}
    </>
  )
}

function Figure({ value, one, many, href }: { value: number; one: string; many: string; href?: string }) {
  const content = (
    <>
      <strong>{number(value)}</strong>
      <span>{value === 1 ? one : many}</span>
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <div class="count">{content}</div>
      ) : (
        <a class="count" href={href}>
          {content}
        </a>
      )}
    </li>
  )
}

/** What was recorded while the page was open. */
function JustNow({ graph }: { graph: string }) {
  const { news } = useLive()
  if (news.length === 0) return null
  return (
    <section aria-labelledby="now" class="card now">
      <h2 id="now">Just recorded</h2>
      <ul>
        {news.map(({ place, contextId, memoryId, source, at }) => (
          <li key={place}>
            <a href={toContext(graph, contextId, memoryId)}>{contextId}</a> by {source}, <When at={at} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Types({ graph, types }: { graph: string; types: GraphDetail['by_context_type'] }) {
  return (
    <ul class="list">
      {types.map(({ context_type, contexts, memories }) => (
        <li key={context_type}>
          <a class="list-item" href={toContexts(graph, context_type)}>
            <span class="list-name">{readable(context_type)}</span>
            <span class="muted small">
              {count(contexts, 'context')} · {count(memories, 'memory', 'memories')}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

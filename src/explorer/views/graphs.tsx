import { Heading } from '../parts/heading.js'
import { When } from '../parts/marks.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { inTurns, useLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { toGraph } from '../state/route.js'
import type { GraphDetail } from '../state/types.js'
import { count } from '../state/words.js'

/** Beyond these a graph is listed by its name alone. */
const MAX_WITH_FIGURES = 24

export function Graphs() {
  const loaded = useLoad('graphs', async (client) => {
    const { graphs, total } = await answered(
      client.GET('/v1/graphs', { params: { query: { page_size: 500 } } }),
    )
    const details = await inTurns(graphs.slice(0, MAX_WITH_FIGURES), ({ graph_id }) =>
      // A graph may go between the two questions.
      answered(client.GET('/v1/graphs/{graph_id}', { params: { path: { graph_id } } })).catch(
        () => undefined,
      ),
    )
    return { graphs, total, details: new Map(details.map((detail) => [detail?.graph_id, detail])) }
  })
  return (
    <>
      <Heading title="Graphs">
        <p class="lead">Each is a body of knowledge of its own.</p>
      </Heading>
      <WhenLoaded loaded={loaded} what="the graphs">
        {({ graphs, total, details }) =>
          graphs.length === 0 ? (
            <Notice title="There is no graph yet">
              <p>A graph comes to be with the first event that is recorded in it.</p>
              <p>
                <a href="/docs/story">How to record one</a>
              </p>
            </Notice>
          ) : (
            <>
              <ul class="tiles">
                {graphs.map(({ graph_id }) => (
                  <li key={graph_id}>
                    <a class="tile" href={toGraph(graph_id)}>
                      <span class="tile-name">{graph_id}</span>
                      <Figures detail={details.get(graph_id)} />
                    </a>
                  </li>
                ))}
              </ul>
              {total > graphs.length && (
                <p class="muted">And {count(total - graphs.length, 'more graph')}.</p>
              )}
            </>
          )
        }
      </WhenLoaded>
    </>
  )
}

function Figures({ detail }: { detail: GraphDetail | undefined }) {
  if (detail === undefined) return null
  return (
    <span class="muted small">
      {count(detail.memories, 'memory', 'memories')} in {count(detail.contexts, 'context')}
      {detail.last_recorded_at !== undefined && (
        <>
          <br />
          last recorded <When at={detail.last_recorded_at} />
        </>
      )}
    </span>
  )
}

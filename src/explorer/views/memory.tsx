import { useEffect } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { WhenLoaded } from '../parts/notice.js'
import { useLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { replaceRoute, toContext, toGraph } from '../state/route.js'

/** A link to a memory leads to its place in the timeline of its context. */
export function MemoryLink({ graph, id }: { graph: string; id: string }) {
  const loaded = useLoad(`memory ${graph} ${id}`, (client) =>
    answered(
      client.GET('/v1/memories/{graph_id}/{memory_id}', {
        params: { path: { graph_id: graph, memory_id: id } },
      }),
    ),
  )
  const contextId = loaded.data?.context_id
  useEffect(() => {
    if (contextId !== undefined) replaceRoute(toContext(graph, contextId, id))
  }, [graph, contextId, id])
  return (
    <>
      <Heading title="A memory" crumbs={[{ href: toGraph(graph), label: graph }]} />
      <WhenLoaded
        loaded={loaded}
        what="the memory"
        back={{ href: toGraph(graph), label: `Back to ${graph}` }}
      >
        {() => null}
      </WhenLoaded>
    </>
  )
}

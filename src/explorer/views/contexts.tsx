import { useEffect, useRef, useState } from 'preact/hooks'
import { ContextList } from '../parts/context-list.js'
import { Heading } from '../parts/heading.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { useLiveLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { replaceRoute, routeTo, toContexts, toGraph } from '../state/route.js'
import { count, readable } from '../state/words.js'

const TYPING_MS = 150

/** The types of a graph; with something in the search field, the contexts that it finds. */
export function Contexts({ graph, query }: { graph: string; query: string }) {
  const [typed, setTyped] = useState(query)
  const sent = useRef(query)
  useEffect(() => {
    // Another address: back, forward, or a link.
    if (query !== sent.current) setTyped(query)
    sent.current = query
  }, [query])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      replaceRoute(routeTo(['graphs', graph, 'contexts'], { q: typed.trim() }))
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, graph])
  return (
    <>
      <Heading title="Contexts" crumbs={[{ href: toGraph(graph), label: graph }]} />
      <search class="search">
        <label for="search">Search contexts by name</label>
        <input
          id="search"
          type="search"
          maxLength={256}
          autocomplete="off"
          placeholder="react hooks"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      {query === '' ? <Types graph={graph} /> : <Found graph={graph} query={query} />}
    </>
  )
}

function Types({ graph }: { graph: string }) {
  const loaded = useLiveLoad(`types ${graph}`, (client) =>
    answered(
      client.GET('/v1/contexts/{graph_id}', {
        params: { path: { graph_id: graph }, query: { page_size: 500 } },
      }),
    ),
  )
  return (
    <WhenLoaded loaded={loaded} what="the types" back={{ href: '#/', label: 'All graphs' }}>
      {({ context_types = [] }) =>
        context_types.length === 0 ? (
          <Notice title="Nothing is filed here yet" />
        ) : (
          <ul class="tiles">
            {context_types.map(({ context_type, count: contexts }) => (
              <li key={context_type}>
                <a class="tile" href={toContexts(graph, context_type)}>
                  <span class="tile-name">{readable(context_type)}</span>
                  <span class="tile-note">{count(contexts, 'context')}</span>
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </WhenLoaded>
  )
}

function Found({ graph, query }: { graph: string; query: string }) {
  const loaded = useLiveLoad(`search ${graph} ${query}`, (client) =>
    answered(
      client.GET('/v1/contexts/{graph_id}', {
        params: { path: { graph_id: graph }, query: { q: query, page_size: 50 } },
      }),
    ),
  )
  return (
    <WhenLoaded loaded={loaded} what="what fits" back={{ href: '#/', label: 'All graphs' }}>
      {({ contexts = [], total }) => (
        <>
          <p class="muted" role="status">
            {total === 0
              ? `No context has “${query}” in its type or name.`
              : count(total, 'context fits', 'contexts fit')}
          </p>
          <ContextList graph={graph} contexts={contexts} showsType />
          {total > contexts.length && (
            <p class="muted">These are the first {contexts.length}. Type more to see fewer.</p>
          )}
        </>
      )}
    </WhenLoaded>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { When } from '../parts/marks.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { useLiveLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { replaceRoute, routeTo, toContext, toContexts, toGraph } from '../state/route.js'
import type { ContextSummary } from '../state/types.js'
import { count, readable } from '../state/words.js'

const TYPING_MS = 150
const PAGE = 100

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
                  <span class="muted small">{count(contexts, 'context')}</span>
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

/** The contexts of one type. */
export function ContextType({ graph, type }: { graph: string; type: string }) {
  const [page, setPage] = useState(0)
  const path = { graph_id: graph, context_type: type }
  const loaded = useLiveLoad(`type ${graph} ${type} ${page}`, (client) =>
    answered(
      client.GET('/v1/contexts/{graph_id}/{context_type}', {
        params: { path, query: { page, page_size: PAGE } },
      }),
    ),
  )
  const crumbs = [
    { href: toGraph(graph), label: graph },
    { href: toContexts(graph), label: 'Contexts' },
  ]
  return (
    <>
      <Heading title={readable(type)} crumbs={crumbs} />
      <WhenLoaded loaded={loaded} what="the contexts" back={{ href: '#/', label: 'All graphs' }}>
        {({ contexts, total }) =>
          total === 0 ? (
            <Notice
              title={`No context has the type ${type}`}
              link={{ href: toContexts(graph), label: 'All types' }}
            />
          ) : (
            <>
              <p class="muted">{count(total, 'context')}</p>
              <ContextList graph={graph} contexts={contexts} />
              {total > PAGE && (
                <nav class="row" aria-label="Pages">
                  <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
                    Before
                  </button>
                  <span class="muted">
                    Page {page + 1} of {Math.ceil(total / PAGE)}
                  </span>
                  <button
                    type="button"
                    disabled={(page + 1) * PAGE >= total}
                    onClick={() => setPage(page + 1)}
                  >
                    Next
                  </button>
                </nav>
              )}
            </>
          )
        }
      </WhenLoaded>
    </>
  )
}

interface ContextListProps {
  readonly graph: string
  readonly contexts: readonly ContextSummary[]
  readonly showsType?: boolean
}

function ContextList({ graph, contexts, showsType = false }: ContextListProps) {
  return (
    <ul class="list">
      {contexts.map(({ context_id, context_type, context_name, memory_count, updated_at }) => (
        <li key={context_id}>
          <a class="list-item" href={toContext(graph, context_id)}>
            <span class="list-name">
              {showsType && <span class="type">{readable(context_type)}</span>}
              {readable(context_name)}
            </span>
            <span class="muted small">
              {count(memory_count, 'memory', 'memories')} · <When at={updated_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

import { useState } from 'preact/hooks'
import { ContextList } from '../parts/context-list.js'
import { Heading } from '../parts/heading.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { useLiveLoad } from '../state/load.js'
import { answered } from '../state/refusal.js'
import { toContexts, toGraph } from '../state/route.js'
import { count, readable } from '../state/words.js'

const PAGE = 100

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

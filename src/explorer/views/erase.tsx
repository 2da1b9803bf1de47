import { useState } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { When } from '../parts/marks.js'
import { LinkButton, Notice, WhenLoaded } from '../parts/notice.js'
import { inTurns, useLoad } from '../state/load.js'
import { askMay } from '../state/may.js'
import { answered, Refusal, toRefusal } from '../state/refusal.js'
import { partsOf, toContext, toGraph } from '../state/route.js'
import { useSession } from '../state/session.js'
import type { ErasureReceipt, Memory } from '../state/types.js'
import { count, number, shortened } from '../state/words.js'

interface EraseProps {
  readonly graph: string
  /** A context id, a memory id, or neither: the whole graph. */
  readonly context?: string | undefined
  readonly memory?: string | undefined
}

/** With their texts; of more there is only the number. */
const MAX_SHOWN = 40

/** Where those go who erase nothing. */
function kept(graph: string, context: string | undefined): string {
  return context === undefined ? toGraph(graph) : toContext(graph, context)
}

/** Erases for good, after showing exactly what would go. */
export function Erase({ graph, context, memory }: EraseProps) {
  const { client } = useSession()
  const [erased, setErased] = useState<ErasureReceipt>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [typed, setTyped] = useState('')
  const isGraph = context === undefined && memory === undefined
  const erase = (isDry: boolean): Promise<ErasureReceipt> => {
    const query = { dry_run: isDry }
    if (memory !== undefined) {
      const path = { graph_id: graph, memory_id: memory }
      return answered(client.DELETE('/v1/memories/{graph_id}/{memory_id}', { params: { path, query } }))
    }
    if (context === undefined)
      return answered(
        client.DELETE('/v1/graphs/{graph_id}', { params: { path: { graph_id: graph }, query } }),
      )
    const [context_type, name] = partsOf(context)
    const path = { graph_id: graph, context_type, name }
    return answered(
      client.DELETE('/v1/contexts/{graph_id}/{context_type}/{name}', { params: { path, query } }),
    )
  }
  const scope = isGraph ? 'admin' : 'write'
  const loaded = useLoad(`erase ${graph} ${context} ${memory}`, async () => {
    if (!(await askMay(client))[scope])
      throw new Refusal(403, 'insufficient_scope', `This needs a secret with the scope ${scope}.`)
    const receipt = await erase(true)
    const going = await inTurns(receipt.memory_ids.slice(0, MAX_SHOWN), (memory_id) =>
      answered(
        client.GET('/v1/memories/{graph_id}/{memory_id}', {
          params: { path: { graph_id: graph, memory_id } },
        }),
      ),
    )
    return { receipt, going }
  })
  const back = { href: toGraph(graph), label: `Back to ${graph}` }
  if (erased !== undefined)
    return (
      <>
        <Heading title="Erased" crumbs={[{ href: '#/', label: 'Graphs' }]} />
        <Notice
          title={`${count(erased.memories, 'memory is', 'memories are')} gone for good`}
          link={isGraph ? { href: '#/', label: 'All graphs' } : back}
        />
      </>
    )
  const what = memory !== undefined ? 'a memory' : (context ?? `the graph ${graph}`)
  return (
    <>
      <Heading title={`Erase ${what}`} crumbs={[{ href: toGraph(graph), label: graph }]}>
        <p class="lead">Nothing has been erased yet. This is what would go.</p>
      </Heading>
      <WhenLoaded loaded={loaded} what="what would go" back={back}>
        {({ receipt, going }) => (
          <section class="card" aria-label="What would go">
            <p>
              {count(receipt.memories, 'memory', 'memories')}, {count(receipt.relationships, 'link')} and{' '}
              {count(receipt.contexts, 'context')}. What they had replaced or confirmed is reckoned anew.
            </p>
            <GoingList memories={going} />
            {receipt.memories > going.length && (
              <p class="muted">And {number(receipt.memories - going.length)} more.</p>
            )}
            {refusal !== undefined && (
              <p class="error" role="alert">
                {refusal.message}
              </p>
            )}
            {isGraph && (
              <label class="sure">
                Type {graph} to go on
                <input
                  value={typed}
                  autocomplete="off"
                  onInput={(event) => setTyped(event.currentTarget.value)}
                />
              </label>
            )}
            <div class="row">
              <button
                type="button"
                class="danger"
                disabled={isGraph && typed !== graph}
                onClick={() => erase(false).then(setErased, (reason) => setRefusal(toRefusal(reason)))}
              >
                Erase {count(receipt.memories, 'memory', 'memories')} for good
              </button>
              <LinkButton
                href={kept(graph, isGraph ? undefined : (context ?? going[0]?.context_id))}
                label="Keep everything"
              />
            </div>
          </section>
        )}
      </WhenLoaded>
    </>
  )
}

/** Memories that would go, each in a line. */
function GoingList({ memories }: { memories: readonly Memory[] }) {
  return (
    <ol class="going">
      {memories.map(({ memory_id, context_id, text, source, occurred_at }) => (
        <li key={memory_id}>
          <span class="says">{shortened(text, 200)}</span>
          <span class="meta">
            <span>{context_id}</span>
            <span>by {source}</span>
            <When at={occurred_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

import { type Asking, dataOf, unlessRefused } from './tools/asking.js'

/** As many as the protocol lets an answer hold. */
const MOST = 100

type Given = { readonly arguments?: Readonly<Record<string, string>> } | undefined
type Complete = (typed: string, given?: Given) => Promise<string[]>

/** What can stand for each part of the address of a context, by what is typed so far. */
export function completions({ client, graph, graphs }: Asking): Record<'graph' | 'type' | 'name', Complete> {
  const index = async (given: Given, query: { readonly q?: string; readonly page_size: number }) => {
    const path = { graph_id: await graph(given?.arguments?.['graph'] || undefined) }
    return dataOf(client.GET('/v1/contexts/{graph_id}', { params: { path, query } }))
  }
  return {
    graph: orNone(async (typed) => (await graphs()).filter((id) => id.startsWith(typed)).slice(0, MOST)),
    type: orNone(async (typed, given) => {
      const { context_types = [] } = await index(given, { page_size: MOST })
      const names = context_types.map(({ context_type }) => context_type)
      return names.filter((name) => name.startsWith(typed.toLowerCase()))
    }),
    name: orNone(async (typed, given) => {
      const type = given?.arguments?.['type'] ?? ''
      if (type === '') return []
      const { contexts = [] } = await index(given, { q: `${type} ${typed}`, page_size: MOST })
      return contexts
        .filter(({ context_type }) => context_type === type)
        .map(({ context_name }) => context_name)
    }),
  }
}

/** Who types is not told of errors. */
function orNone(complete: Complete): Complete {
  return async (typed, given) => (await unlessRefused(complete(typed, given))) ?? []
}

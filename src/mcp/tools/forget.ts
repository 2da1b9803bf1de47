import { counted } from '../../domain/insight/sentences.js'
import { foldContextId, splitContextId } from '../../domain/names.js'
import { type Asking, dataOf, Refused, type Told } from './asking.js'

interface ForgetArguments {
  readonly memory_id?: string
  readonly context_id?: string
  readonly confirm?: boolean
}

const MAX_IDS = 20

export async function forget(asking: Asking, given: ForgetArguments): Promise<Told> {
  const { memory_id, context_id, confirm = false } = given
  if ((memory_id === undefined) === (context_id === undefined))
    throw new Refused('Give memory_id or context_id: one of them, not both.')
  const receipt = await erase(asking, memory_id, context_id, { dry_run: !confirm })
  const { memories, relationships, contexts, memory_ids } = receipt
  const what = [
    counted(memories, 'memory', 'memories'),
    counted(relationships, 'link', 'links'),
    counted(contexts, 'context', 'contexts'),
  ].join(', ')
  const more = memories > MAX_IDS ? ` and ${memories - MAX_IDS} more` : ''
  const ids = memories === 0 ? '' : `: ${memory_ids.slice(0, MAX_IDS).join(', ')}${more}`
  const text = confirm
    ? `Erased for good: ${what}${ids}.\n`
    : `Nothing was erased. This would erase ${what}${ids}.\nCall again with confirm: true if the person who asked wants that.\n`
  const data = {
    dry_run: !confirm,
    memories,
    relationships,
    contexts,
    memory_ids: memory_ids.slice(0, MAX_IDS),
  }
  return { text, data }
}

async function erase(
  { client, graph }: Asking,
  memory_id: string | undefined,
  context_id: string | undefined,
  query: { readonly dry_run: boolean },
) {
  const graph_id = await graph()
  if (memory_id !== undefined)
    return dataOf(
      client.DELETE('/v1/memories/{graph_id}/{memory_id}', {
        params: { path: { graph_id, memory_id }, query },
      }),
    )
  const { type, name } = splitContextId(foldContextId(context_id ?? '', 'context_id'))
  const path = { graph_id, context_type: type, name }
  return dataOf(client.DELETE('/v1/contexts/{graph_id}/{context_type}/{name}', { params: { path, query } }))
}

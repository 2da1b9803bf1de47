import { type Asking, cutTo, dataOf, orEmpty, type Told } from './asking.js'

export interface BriefArguments {
  readonly task?: string
  readonly valid_at?: string
}

/** It travels in an address. */
const LONGEST_TASK = 600

export async function brief({ client, graph }: Asking, { task, ...more }: BriefArguments): Promise<Told> {
  const path = { graph_id: await graph() }
  const query = { ...more, ...(task !== undefined && { task: cutTo(LONGEST_TASK, task) }) }
  const asked = client.GET('/v1/graphs/{graph_id}/brief', { params: { path, query } })
  const data = await orEmpty(dataOf(asked), { brief: 'Nothing is recorded yet.' })
  return { text: data.brief, data }
}

import { foldContextId } from '../../domain/names.js'
import { counted, harmless, paint } from '../output/terminal.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'
import type { Neighbourhood } from '../target/api.js'
import type { Job } from './job.js'

/** `loregraph around`: the contexts around one, and the links among them. */
export async function around(job: Job): Promise<void> {
  const { api, operands, values, print } = job
  const [graph = '', context = ''] = operands
  const depth = wholeNumber(values.depth ?? OPTIONS.depth.fallback)
  const answer = await api.around(graph, foldContextId(context), depth)
  if (values.json) print(JSON.stringify(answer))
  else tell(answer, job)
}

function tell({ contexts, relationships, left_out }: Neighbourhood, { terminal, print, note }: Job): void {
  print(paint(terminal, 'bold', 'Contexts'))
  for (const { distance, context_id, memory_count } of contexts) {
    const away = distance === 0 ? '' : `, ${counted(distance, 'link')} away`
    print(`  ${harmless(context_id)}: ${counted(memory_count, 'memory', 'memories')}${away}`)
  }
  if (relationships.length > 0) print(`\n${paint(terminal, 'bold', 'Links')}`)
  for (const { from, to, kind, weight } of relationships) {
    const stated = `stated by ${counted(weight, 'memory', 'memories')}`
    print(`  ${harmless(from)} -> ${harmless(to)}: ${kind}, ${stated}`)
  }
  if (left_out.contexts > 0) note(`Not shown: ${counted(left_out.contexts, 'more context')}.`)
  if (left_out.relationships > 0) note(`Not shown: ${counted(left_out.relationships, 'more link')}.`)
  if (left_out.unexplored > 0)
    note(`Too many links to look at all of them: ${counted(left_out.unexplored, 'context')}.`)
}

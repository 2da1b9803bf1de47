import { foldContextId } from '../../domain/names.js'
import { counted } from '../output/labelled.js'
import { harmless, paint } from '../output/terminal.js'
import { usage } from '../parse/args.js'
import { contextMistakes, depthMistakes, graphMistakes } from '../parse/check-operands.js'
import { OPTIONS } from '../parse/options.js'
import type { Neighbourhood } from '../target/api.js'
import type { Job, Prepare } from './job.js'

/** `loregraph around`: the contexts around one, and the links among them. */
export const around: Prepare = (job) => {
  const [graph = '', context = ''] = job.operands
  const depth = job.values.depth ?? OPTIONS.depth.fallback
  const mistakes = [
    ...graphMistakes(graph),
    ...contextMistakes(context, 'The context'),
    ...depthMistakes(depth),
  ]
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph around --help')
  return async (api) => {
    const answer = await api.around(graph, foldContextId(context), Number(depth))
    if (job.values.json) job.print(JSON.stringify(answer))
    else tell(answer, job)
  }
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

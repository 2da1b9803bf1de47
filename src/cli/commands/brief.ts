import { harmless } from '../output/terminal.js'
import { usage } from '../parse/args.js'
import { briefTaskMistakes, graphMistakes, maxCharsMistakes } from '../parse/check-operands.js'
import { OPTIONS } from '../parse/options.js'
import type { Prepare } from './job.js'

/** `loregraph brief`: the Markdown as it is, to be read or to be given to an agent. */
export const brief: Prepare = ({ operands: [graph = ''], values, print }) => {
  const { task, 'max-chars': count = OPTIONS['max-chars'].fallback } = values
  const mistakes = [
    ...graphMistakes(graph),
    ...(task === undefined ? [] : briefTaskMistakes(task)),
    ...maxCharsMistakes(count),
  ]
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph brief --help')
  return async (api) => {
    const answer = await api.brief(graph, { max_chars: Number(count), ...(task !== undefined && { task }) })
    if (values.json) return print(JSON.stringify(answer))
    print(answer.brief.trimEnd().split('\n').map(harmless).join('\n'))
  }
}

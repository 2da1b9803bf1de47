import { harmless } from '../output/terminal.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'
import type { Job } from './job.js'

/** `loregraph brief`: the Markdown as it is, to be read or to be given to an agent. */
export async function brief({ api, operands: [graph = ''], values, print }: Job): Promise<void> {
  const { task, 'max-chars': count = OPTIONS['max-chars'].fallback } = values
  const answer = await api.brief(graph, {
    max_chars: wholeNumber(count),
    ...(task !== undefined && { task }),
  })
  if (values.json) return print(JSON.stringify(answer))
  print(answer.brief.trimEnd().split('\n').map(harmless).join('\n'))
}

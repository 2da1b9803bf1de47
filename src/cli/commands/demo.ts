import { DEMO_GRAPH, demoEvents } from '../../service/demo-graph.js'
import type { Values } from '../parse/options.js'
import type { Job } from './job.js'

export async function demo({ api, url, values, print }: Job): Promise<void> {
  const isThere = await api.hasGraph(DEMO_GRAPH)
  const events = isThere ? 0 : (await api.importGraph(DEMO_GRAPH, demoEvents())).events
  if (values.json) return print(JSON.stringify({ graph_id: DEMO_GRAPH, loaded: !isThere, events }))
  print(
    isThere
      ? `The graph ${DEMO_GRAPH} is there already; nothing was changed.`
      : `The graph ${DEMO_GRAPH} was made of ${events} events: a year of a small web shop.`,
  )
  const there = targetOptions(values)
  print(`
Try next:

  loregraph insight ${DEMO_GRAPH} "Which test runner do we use?"${there}
  loregraph insight ${DEMO_GRAPH} "Why do payments time out?" --explain${there}
  loregraph export ${DEMO_GRAPH}${there} | head -3${url === undefined ? `\n  loregraph serve${there}` : ''}`)
}

/** The options that led here, so that a hint works as printed; what the environment says it says next time as well. */
function targetOptions(values: Values): string {
  const names = ['data', 'url', 'secret-file'] as const
  return names
    .flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : ` --${name} ${shellWord(value)}`
    })
    .join('')
}

/** A word as a POSIX shell reads it. */
function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

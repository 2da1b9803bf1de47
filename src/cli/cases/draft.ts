import { Document, isScalar, visit } from 'yaml'
import { splitContextId } from '../../domain/names.js'
import { isStopWord } from '../../domain/search/text-analysis.js'
import { labelled } from '../../domain/text.js'
import { linesOf } from '../../domain/transfer/lines.js'
import type { Api, Memory } from '../target/api.js'
import { type Case, LEVELS } from './case-file.js'

const MAX_OF_EACH = 10
/** How many memories are looked at for as many that stand. */
const MAX_TRIED = 50
const WORDS_OF_TEXT = 5

/** The ids of memories that are worth a case: the latest decisions, then what was confirmed most, then the latest. */
export async function worthACase(chunks: AsyncIterable<Uint8Array>): Promise<readonly (readonly string[])[]> {
  const kinds = new Map<string, string>()
  const stated = new Map<string, number>()
  const state = (id: string) => stated.set(id, (stated.get(id) ?? 0) + 1)
  for await (const lines of linesOf(chunks))
    for (const line of lines) {
      // The first line and the last are no events.
      const { memory_id, event_kind, decided }: ExportLine = JSON.parse(line)
      if (memory_id === undefined || event_kind === undefined) continue
      kinds.delete(memory_id)
      kinds.set(memory_id, event_kind)
      state(memory_id)
      for (const { memory_id: id, effect } of decided?.reinforces ?? [])
        if (effect === 'reinforces') state(id)
    }
  const latest = [...kinds.keys()].reverse()
  const times = (id: string) => stated.get(id) ?? 0
  return [
    latest.filter((id) => kinds.get(id) === 'decision'),
    latest.filter((id) => times(id) > 1).sort((a, b) => times(b) - times(a)),
    latest,
  ]
}

interface ExportLine {
  readonly memory_id?: string
  readonly event_kind?: string
  readonly decided?: {
    readonly reinforces?: readonly { readonly memory_id: string; readonly effect: string }[]
  }
}

/** Cases that pass now: each asks for a memory that stands, with the confidence of the answer as the least. */
export async function draftCases(api: Api, graph: string, limit: number): Promise<Case[]> {
  const [decisions = [], confirmed = [], latest = []] = await worthACase(await api.exportGraph(graph))
  const cases = new Map<string, Case>()
  for (const ids of [decisions, confirmed, latest]) {
    // The latest of any kind only where there is hardly anything else.
    if (ids === latest && cases.size >= MAX_OF_EACH / 2) break
    const most = cases.size + MAX_OF_EACH
    for (const id of ids.slice(0, MAX_TRIED)) {
      if (cases.size >= most) break
      const memory = await api.memory(graph, id)
      if (memory?.status !== 'current') continue
      const ask = questionFor(memory)
      if (cases.has(ask)) continue
      const answer = await api.insight({ graph_id: graph, task: ask, limit, explain: true })
      if (answer.evidence?.some(({ memory_id }) => memory_id === id) !== true) continue
      const confidence =
        answer.confidence === 'low' ? [] : LEVELS.slice(0, LEVELS.indexOf(answer.confidence) + 1)
      cases.set(ask, { ask, graph, must: [id], mustNot: [], confidence, limit })
    }
  }
  return [...cases.values()]
}

/** A question made of the words of a context's name and of the fields of a payload; of a text where these say nothing. */
export function questionFor({
  context_id,
  payload,
  text,
}: Pick<Memory, 'context_id' | 'payload' | 'text'>): string {
  const { name } = splitContextId(context_id)
  const subject = name === 'general' ? '' : name.replaceAll(/[\s_./:-]+/g, ' ').trim()
  const fields = Object.keys(payload)
    .filter((field) => labelled(field, 'x') !== 'x')
    .map((field) => field.replaceAll('_', ' ').trim())
    .slice(0, 2)
  if (subject !== '' && fields.includes(subject)) return `What is the ${subject}?`
  if (subject !== '' && fields.length > 0) return `What is the ${fields.join(' and the ')} of ${subject}?`
  const known = new Set(subject.toLowerCase().split(' '))
  const words = text
    .split(/[^\p{L}\p{N}_.'’-]+/u)
    .map((word) => word.replaceAll(/^[.'’-]+|[.'’-]+$/g, ''))
    .filter((word) => word !== '' && !isStopWord(word.toLowerCase()) && !known.has(word.toLowerCase()))
  const about = [subject, [...new Set(words)].slice(0, WORDS_OF_TEXT).join(' ')].filter((part) => part !== '')
  return `What do we know of ${about.join(': ')}?`
}

const HEADING = `# Drafted by "loregraph eval --write". All of them pass now: keep what must stay so, ask as your agents ask, and
# add what must not be told.
`

export function toYaml(graph: string, cases: readonly Case[]): string {
  const drafts = cases.map(({ ask, must, confidence }) => ({
    ask,
    must,
    ...(confidence.length > 0 && { confidence: confidence.length === 1 ? confidence[0] : confidence }),
  }))
  const document = new Document({ graph, cases: drafts })
  visit(document, {
    Seq(_key, list) {
      list.flow = list.items.every((item) => isScalar(item))
    },
  })
  return HEADING + document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

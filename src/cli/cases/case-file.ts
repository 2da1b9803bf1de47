import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { isMemoryId } from '../../domain/ids.js'
import { Stop } from '../output/exits.js'
import { didYouMean } from '../parse/did-you-mean.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'

export const LEVELS = ['high', 'medium', 'low'] as const
type Level = (typeof LEVELS)[number]

/** A question, and what to expect of its answer. The limits of its values are the service's to check. */
export interface Case {
  readonly ask: string
  readonly graph: string
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
  /** The levels that are good enough; any if there are none. */
  readonly confidence: readonly Level[]
  readonly limit: number
}

const FILE_FIELDS = ['graph', 'cases']
const CASE_FIELDS = ['ask', 'graph', 'must', 'must_not', 'confidence', 'limit']

/** The cases of a file; throws with every mistake in it, each with its line and what to do. */
export function readCases(text: string, file: string): Case[] {
  const lines = new LineCounter()
  // All values as they are written: 1.10 is not a number, and `no` is not a boolean.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false })
  const mistakes: [line: number, sentence: string][] = []
  const lineOf = (node: Node | null | undefined) => lines.linePos(node?.range?.[0] ?? 0).line || 1
  const addMistake = (node: Node | null | undefined, sentence: string) =>
    mistakes.push([lineOf(node), sentence])

  for (const { pos, message } of document.errors)
    mistakes.push([lines.linePos(pos[0]).line, `This is not YAML: ${message}.`])
  const cases = mistakes.length === 0 ? fileOf(document.contents) : []
  if (mistakes.length === 0) return cases
  const messages = mistakes
    .sort(([a], [b]) => a - b)
    .map(([line, sentence]) => `${file}:${line}: ${sentence}`)
  throw new Stop('data', [...new Set(messages)].join('\n'))

  function fileOf(contents: Node | null): Case[] {
    if (!isMap(contents)) {
      addMistake(contents, 'The file must have a graph and a list of cases. See loregraph eval --help.')
      return []
    }
    rejectUnknownFields(contents, FILE_FIELDS, 'the file')
    const graph = textAt(contents, 'graph')
    const list = nodeAt(contents, 'cases')
    if (isSeq(list) && list.items.length > 0) return list.items.flatMap((item) => caseOf(item as Node, graph))
    addMistake(list ?? contents, 'cases must be a list of at least one case, each with ask.')
    return []
  }

  function caseOf(item: Node, defaultGraph: string | undefined): Case[] {
    if (!isMap(item)) {
      addMistake(item, 'A case must have fields: ask, and at least one of must, must_not and confidence.')
      return []
    }
    rejectUnknownFields(item, CASE_FIELDS, 'a case')
    const ask = textAt(item, 'ask')
    if (ask === undefined)
      addMistake(nodeAt(item, 'ask') ?? item, 'A case needs ask: the question, as a text.')
    const graph = textAt(item, 'graph') ?? defaultGraph
    if (graph === undefined)
      addMistake(item, 'No graph is named: give the case a graph, or the file one for all cases.')
    const limit = wholeNumber(textAt(item, 'limit') ?? OPTIONS.limit.fallback)
    const [must, mustNot] = [wordsAt(item, 'must'), wordsAt(item, 'must_not')]
    for (const word of must)
      if (mustNot.includes(word))
        addMistake(item, `${JSON.stringify(word)} is in must and in must_not. Leave out one.`)
    const confidence = textsAt(item, 'confidence').filter((level): level is Level => {
      const known = LEVELS.some((it) => it === level)
      if (!known)
        addMistake(nodeAt(item, 'confidence'), `confidence must be ${LEVELS.join(', ')} or a list of these.`)
      return known
    })
    if (!['must', 'must_not', 'confidence'].some((name) => item.has(name)))
      addMistake(item, 'The case checks nothing. Give it must, must_not or confidence.')
    return [{ ask: ask ?? '', graph: graph ?? '', must, mustNot, confidence, limit }]
  }

  function rejectUnknownFields(map: YAMLMap, known: readonly string[], what: string): void {
    for (const pair of map.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue
      const name = String(pair.key.value)
      if (known.includes(name)) continue
      const close = didYouMean(name, known)
      const hint = close === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${close}?`
      addMistake(pair.key, `${JSON.stringify(name)} is no field of ${what}. ${hint}`)
    }
  }

  function wordsAt(map: YAMLMap, name: string): string[] {
    const words = textsAt(map, name)
    for (const word of words)
      if (word.startsWith('mem_') && !isMemoryId(word))
        addMistake(
          nodeAt(map, name),
          `${name}: ${word} is no memory id; one is mem_ and 26 letters and digits.`,
        )
    return words
  }

  function textsAt(map: YAMLMap, name: string): string[] {
    const node = nodeAt(map, name)
    if (node === undefined) return []
    const items = isSeq(node) ? node.items : [node]
    const texts = items.map((item) => (isScalar(item) ? String(item.value ?? '') : ''))
    if (texts.length === 0 || texts.some((text) => text.trim() === ''))
      addMistake(node, `${name}: give a text or a list of texts, none of them empty.`)
    return texts
  }

  function textAt(map: YAMLMap, name: string): string | undefined {
    const node = nodeAt(map, name)
    if (node === undefined) return undefined
    if (isScalar(node)) return String(node.value ?? '')
    addMistake(node, `${name}: give a text.`)
    return undefined
  }

  function nodeAt(map: YAMLMap, name: string): Node | undefined {
    const node = map.get(name, true) as Node | undefined
    return node ?? undefined
  }
}

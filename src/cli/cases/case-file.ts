import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { isMemoryId } from '../../domain/ids.js'
import { Stop } from '../output/exits.js'
import { didYouMean } from '../parse/did-you-mean.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'

export const LEVELS = ['high', 'medium', 'low'] as const
type Level = (typeof LEVELS)[number]

/** A question, and what its answer must be like. The limits of its values are the service's to check. */
export interface Case {
  readonly ask: string
  readonly graph: string
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
  /** The levels that are good enough; any if there are none. */
  readonly confidence: readonly Level[]
  readonly limit: number
}

const OF_FILE = ['graph', 'cases']
const OF_CASE = ['ask', 'graph', 'must', 'must_not', 'confidence', 'limit']

/** The cases of a file; ends with every mistake in it, each with its line and what to do. */
export function readCases(text: string, file: string): Case[] {
  const lines = new LineCounter()
  // All values as they are written: 1.10 is no number and no is no truth value.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false })
  const mistakes: [line: number, sentence: string][] = []
  const lineOf = (node: Node | null | undefined) => lines.linePos(node?.range?.[0] ?? 0).line || 1
  const wrong = (node: Node | null | undefined, sentence: string) => mistakes.push([lineOf(node), sentence])

  for (const { pos, message } of document.errors)
    mistakes.push([lines.linePos(pos[0]).line, `This is not YAML: ${message}.`])
  const cases = mistakes.length === 0 ? fileOf(document.contents) : []
  if (mistakes.length === 0) return cases
  const told = mistakes.sort(([a], [b]) => a - b).map(([line, sentence]) => `${file}:${line}: ${sentence}`)
  throw new Stop('data', [...new Set(told)].join('\n'))

  function fileOf(contents: Node | null): Case[] {
    if (!isMap(contents)) {
      wrong(contents, 'The file must have a graph and a list of cases. See loregraph eval --help.')
      return []
    }
    refuseOthers(contents, OF_FILE, 'the file')
    const graph = textAt(contents, 'graph')
    const list = nodeAt(contents, 'cases')
    if (isSeq(list) && list.items.length > 0) return list.items.flatMap((item) => caseOf(item as Node, graph))
    wrong(list ?? contents, 'cases must be a list of at least one case, each with ask.')
    return []
  }

  function caseOf(item: Node, usual: string | undefined): Case[] {
    if (!isMap(item)) {
      wrong(item, 'A case must have fields: ask, and at least one of must, must_not and confidence.')
      return []
    }
    refuseOthers(item, OF_CASE, 'a case')
    const ask = textAt(item, 'ask')
    if (ask === undefined) wrong(nodeAt(item, 'ask') ?? item, 'A case needs ask: the question, as a text.')
    const graph = textAt(item, 'graph') ?? usual
    if (graph === undefined)
      wrong(item, 'No graph is named: give the case a graph, or the file one for all cases.')
    const limit = wholeNumber(textAt(item, 'limit') ?? OPTIONS.limit.fallback)
    const [must, mustNot] = [wordsAt(item, 'must'), wordsAt(item, 'must_not')]
    for (const word of must)
      if (mustNot.includes(word))
        wrong(item, `${JSON.stringify(word)} is in must and in must_not. Leave out one.`)
    const confidence = textsAt(item, 'confidence').filter((level): level is Level => {
      const known = LEVELS.some((it) => it === level)
      if (!known)
        wrong(nodeAt(item, 'confidence'), `confidence must be ${LEVELS.join(', ')} or a list of these.`)
      return known
    })
    if (!['must', 'must_not', 'confidence'].some((name) => item.has(name)))
      wrong(item, 'The case checks nothing. Give it must, must_not or confidence.')
    return [{ ask: ask ?? '', graph: graph ?? '', must, mustNot, confidence, limit }]
  }

  function refuseOthers(map: YAMLMap, known: readonly string[], what: string): void {
    for (const pair of map.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue
      const name = String(pair.key.value)
      if (known.includes(name)) continue
      const close = didYouMean(name, known)
      const hint = close === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${close}?`
      wrong(pair.key, `${JSON.stringify(name)} is no field of ${what}. ${hint}`)
    }
  }

  function wordsAt(map: YAMLMap, name: string): string[] {
    const words = textsAt(map, name)
    for (const word of words)
      if (word.startsWith('mem_') && !isMemoryId(word))
        wrong(nodeAt(map, name), `${name}: ${word} is no memory id; one is mem_ and 26 letters and digits.`)
    return words
  }

  function textsAt(map: YAMLMap, name: string): string[] {
    const node = nodeAt(map, name)
    if (node === undefined) return []
    const items = isSeq(node) ? node.items : [node]
    const texts = items.map((item) => (isScalar(item) ? String(item.value ?? '') : ''))
    if (texts.length === 0 || texts.some((text) => text.trim() === ''))
      wrong(node, `${name}: give a text or a list of texts, none of them empty.`)
    return texts
  }

  function textAt(map: YAMLMap, name: string): string | undefined {
    const node = nodeAt(map, name)
    if (node === undefined) return undefined
    if (isScalar(node)) return String(node.value ?? '')
    wrong(node, `${name}: give a text.`)
    return undefined
  }

  function nodeAt(map: YAMLMap, name: string): Node | undefined {
    const node = map.get(name, true) as Node | undefined
    return node ?? undefined
  }
}

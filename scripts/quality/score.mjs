#!/usr/bin/env node
// node score.mjs insights|answers|recall --url URL --secret S [--json ROWS] FILE...
// node score.mjs insights|answers|recall --rows ROWS: reports on what was scored before
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    secret: { type: 'string' },
    json: { type: 'string' },
    rows: { type: 'string' },
    prefix: { type: 'string', default: `bench-${process.pid}-` },
  },
})
const [mode = '', ...files] = positionals
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Questions whose answer is itself what to do: there a recommendation may repeat it. */
const TO_DO = new Set(['plan', 'what-when', 'vague', 'task', 'how'])
/** What the first line says when nothing recorded answers the question. */
const NOTHING = /^nothing recorded answers/i

const MODES = {
  insights: { score: scoreInsights, report: reportInsights },
  answers: { score: scoreAnswers, report: reportAnswers },
  recall: { score: scoreRecall, report: reportRecall },
}
const { score, report } = MODES[mode]
const rows = values.rows === undefined ? [] : readJson(values.rows)
for (const file of files) {
  const content = readJson(file)
  for (const graph of content.graphs ?? [content]) rows.push(...(await score(graph)))
}
console.log(report(rows))
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1))

async function call(method, path, body) {
  const response = await fetch(values.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${values.secret}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return text ? JSON.parse(text) : undefined
}

/**
 * Records the events in order, as an agent would; `@key` in a link is the memory of that key, `{ erase }` takes one back.
 * Answers with the id of the memory for each key, when all of them are read for meaning.
 */
async function record(graph_id, events) {
  const ids = new Map()
  for (const { key, erase, state: _, expected: __, ...event } of events) {
    if (erase !== undefined) {
      await call('DELETE', `/v1/memories/${graph_id}/${ids.get(erase)}`)
      ids.delete(erase)
      continue
    }
    for (const kind of ['reinforces', 'extends', 'contradicts', 'related_to'])
      event[kind] &&= event[kind].map((to) => (to.startsWith('@') ? ids.get(to.slice(1)) : to))
    const { event_id } = await call('POST', '/v1/events', { graph_id, ...event })
    ids.set(key, event_id)
  }
  while ((await insightOf(graph_id, { task: 'What is known?' })).unread > 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
  return ids
}

function insightOf(graph_id, asked) {
  return call('POST', '/v1/memories/insights', { graph_id, explain: true, ...asked })
}

async function scoreInsights({ graph_id: name, events, tasks }) {
  const graph_id = values.prefix + name
  const ids = await record(graph_id, events)
  const texts = new Map(events.map(({ key, payload }) => [key, flat(payload)]))
  const scored = []
  for (const { id, kind, task, limit = 5, locus_query, context_types, ...label } of tasks) {
    const asked = {
      task,
      limit,
      ...(locus_query && { locus_query }),
      ...(context_types && { context_types }),
    }
    const answer = await insightOf(graph_id, asked)
    const again = await insightOf(graph_id, asked)
    const roles = new Map((answer.evidence ?? []).map(({ memory_id, role }) => [memory_id, role]))
    const { evidence: wanted = [], superseded = [] } = label
    const evidence = wanted.length > 0 ? mean(wanted.map((key) => Number(roles.has(ids.get(key))))) : null
    const isMisused = superseded.some((key) => (roles.get(ids.get(key)) ?? 'superseded') !== 'superseded')
    const isHigh = answer.confidence === 'high'
    scored.push({
      ...{ graph: name, id, kind, evidence },
      answer: shareOf(label.answer_terms, firstWords(answer.insight).toLowerCase()),
      action: shareOf(label.action_terms, answer.recommendation.toLowerCase()),
      // In temporal tasks the older readings were true in their time: no rule retires them.
      trust: superseded.length > 0 && kind !== 'temporal' ? Number(!isMisused) : null,
      confidence: Number(label.confidence.includes(answer.confidence)),
      band: answer.confidence,
      highRight: isHigh ? Number(evidence === 1 && label.confidence.includes('high')) : null,
      focus:
        wanted.length > 0
          ? focusOf(
              answer.insight,
              [...wanted, ...superseded].map((key) => texts.get(key)),
            )
          : null,
      repeatable: Number(JSON.stringify(answer) === JSON.stringify(again)),
      insight: answer.insight,
      recommendation: answer.recommendation,
    })
  }
  return scored
}

function reportInsights(all) {
  const figures = ['evidence', 'answer', 'action', 'trust', 'confidence', 'highRight', 'focus', 'repeatable']
  const unanswerable = all.filter(({ kind }) => kind === 'unanswerable')
  const isBand = (wanted) => (row) => row.band === wanted
  const high = all.filter(isBand('high'))
  return [
    table(all, figures),
    `high on ${share(all, isBand('high'))}; of those right ${share(high, ({ highRight }) => highRight === 1)}`,
    `unanswerable: low ${share(unanswerable, isBand('low'))}, high ${share(unanswerable, isBand('high'))}`,
  ].join('\n')
}

async function scoreAnswers({ graph_id: name, events, questions }) {
  const graph_id = values.prefix + name
  await record(graph_id, events)
  const scored = []
  for (const { kind, task, first, not_in: not, confidence: bands, expected } of questions) {
    const { insight, recommendation, confidence, score } = await insightOf(graph_id, { task })
    const [line = ''] = insight.split('\n')
    const lead = line.slice(0, 200)
    const isWrong = not !== undefined && new RegExp(not, 'i').test(not.startsWith('^') ? lead : insight)
    const holds = (text) => !isWrong && (first ? new RegExp(first, 'im') : NOTHING).test(text)
    scored.push({
      ...{ graph: name, kind, task, expected, insight, recommendation, confidence, score },
      first: Number(holds(lead)),
      any: Number(holds(firstWords(insight)) || holds(lead)),
      band: Number(bands.includes(confidence[0])),
      repeated: Number(!TO_DO.has(kind) && repeatedIn(recommendation, line) > 0.5),
      falseNone: Number(first !== undefined && NOTHING.test(line)),
      rightButLow: Number(confidence === 'low' && holds(lead) && !bands.includes('l')),
    })
  }
  return scored
}

function reportAnswers(all) {
  const isNothing = ({ kind }) => kind === 'noanswer'
  const [nothing, something] = [all.filter(isNothing), all.filter((row) => !isNothing(row))]
  const past = all.filter(({ kind }) => kind === 'past')
  const present = all.filter(({ kind }) => kind !== 'past')
  const isHigh = ({ confidence }) => confidence === 'high'
  const has = (figure) => (row) => row[figure] === 1
  const right = has('first')
  const mixtures = Object.entries({
    'as labelled': nothing.length / Math.max(1, all.length),
    half: 0.5,
    'nine in ten without an answer': 0.9,
  })
  return [
    table(all, ['first', 'any', 'band', 'repeated', 'rightButLow']),
    `first line right ${share(all, right)}; without the past ${share(present, right)}; past ${share(past, right)}`,
    `anywhere ${share(all, has('any'))}; band ${share(all, has('band'))}`,
    `high on ${share(all, isHigh)}, right ${share(all.filter(isHigh), right)}`,
    `right but low ${share(all, has('rightButLow'))}; repeated ${share(all, has('repeated'))}`,
    `nothing recorded: where nothing is ${share(nothing, right)}, where something is ${share(something, has('falseNone'))}`,
    ...mixtures.map(([name, part]) => `${name}: ${mixture(something, nothing, part)}`),
  ].join('\n')
}

/** How often each confidence is given, and right, when that part of the questions has no answer. */
function mixture(something, nothing, part) {
  const bands = ['high', 'medium', 'low'].map((band) => {
    const rate = (set, test) =>
      set.filter((row) => row.confidence === band && test(row)).length / Math.max(1, set.length)
    const unanswered = part * rate(nothing, () => true)
    const all = (1 - part) * rate(something, () => true) + unanswered
    const good = (1 - part) * rate(something, ({ first }) => first === 1) + (band === 'low' ? unanswered : 0)
    return `${band} ${(100 * all).toFixed(0)} % (${((100 * good) / Math.max(1e-9, all)).toFixed(0)} % right)`
  })
  return bands.join(', ')
}

async function scoreRecall({ graph_id: name, events, questions }) {
  const graph_id = values.prefix + name
  const ids = await record(graph_id, events)
  const scored = []
  for (const { id, kind, query, evidence } of questions) {
    const { items } = await call('POST', '/v1/memories', { graph_id, query, limit: 20, format: 'json' })
    const found = items.map(({ memory_id }) => memory_id)
    const at = (count) => mean(evidence.map((key) => Number(found.slice(0, count).includes(ids.get(key)))))
    scored.push({ graph: name, id, kind, 'R@5': at(5), 'R@10': at(10), 'R@20': at(20) })
  }
  return scored
}

function reportRecall(all) {
  const answerable = all.filter(({ kind }) => kind !== 'adversarial')
  const figures = ['R@5', 'R@10', 'R@20']
  return [
    table(all, figures),
    ...figures.map((name) => `answerable, ${name} ${meanOf(answerable, name)}`),
  ].join('\n')
}

/** The mean of each figure, by kind. */
function table(all, figures) {
  const kinds = [...new Set(all.map(({ kind }) => kind)), 'all']
  const lines = kinds.map((kind) => {
    const of = all.filter((row) => kind === 'all' || row.kind === kind)
    return [kind, of.length, ...figures.map((figure) => meanOf(of, figure))].join('\t')
  })
  return [['kind', 'n', ...figures].join('\t'), ...lines].join('\n')
}

/** Null is a figure that does not apply. */
function meanOf(of, figure) {
  const known = of.map((row) => row[figure]).filter((value) => value !== null)
  return known.length === 0 ? '–' : mean(known).toFixed(3)
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** A share with its 95 % interval (Wilson). */
function share(of, test) {
  const n = of.length
  if (n === 0) return '–'
  const p = of.filter(test).length / n
  const z = 1.96
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  const [least, most] = [Math.max(0, middle - half), Math.min(1, middle + half)]
  return `${p.toFixed(3)} (${least.toFixed(2)}–${most.toFixed(2)}, n=${n})`
}

/** The share of the groups of which the text has a term. */
function shareOf(groups, text) {
  if (groups === undefined || groups.length === 0) return null
  return mean(groups.map((terms) => Number(terms.some((term) => text.includes(term.toLowerCase())))))
}

/** The share of an insight's runs of three words that the labelled memories have: how little is beside the point. */
function focusOf(insight, texts) {
  const triples = (text) => {
    const words = wordsOf(text)
    return words.slice(2).map((_, i) => words.slice(i, i + 3).join(' '))
  }
  const labelled = new Set(texts.flatMap(triples))
  const shown = triples(insight)
  return shown.length > 0 ? mean(shown.map((triple) => Number(labelled.has(triple)))) : null
}

/** The share of the words of a recommendation that the first line has as well. */
function repeatedIn(recommendation, line) {
  const known = new Set(wordsOf(line))
  const words = wordsOf(recommendation)
  return words.length > 0 ? mean(words.map((word) => Number(known.has(word)))) : 0
}

function firstWords(text) {
  return text.split(/\s+/).slice(0, 80).join(' ')
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function flat(value) {
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(flat).join(', ')
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${flat(inner)}`)
    .join('; ')
}

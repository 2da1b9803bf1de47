#!/usr/bin/env node
// node score.mjs insights|recall|bearing|answers --url URL --secret S [--json OUT] [--similar] FILE...
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    secret: { type: 'string' },
    json: { type: 'string' },
    similar: { type: 'boolean', default: false },
    prefix: { type: 'string', default: `bench-${process.pid}-` },
  },
})
const [mode, ...files] = positionals

async function call(method, path, body) {
  const res = await fetch(values.url + path, {
    method,
    headers: {
      authorization: `Bearer ${values.secret}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await res.text()
  if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${text.slice(0, 300)}`)
  return { text, json: text ? JSON.parse(text) : undefined }
}

/** Records the events in order, in batches; returns key → memory_id. */
async function fill(graph_id, events) {
  const ids = new Map()
  for (let i = 0; i < events.length; i += 200) {
    const slice = events.slice(i, i + 200)
    const { json } = await call('POST', '/v1/events/batch', {
      graph_id,
      events: slice.map(({ key, ...event }) => event),
    })
    json.results.forEach((r, n) => ids.set(slice[n].key, r.event_id))
  }
  await allRead(graph_id)
  return ids
}

/** Memories are read for meaning in the background: waits until none of the graph is left. */
async function allRead(graph_id) {
  for (;;) {
    const { json } = await call('POST', '/v1/memories/insights', {
      task: 'What is known?',
      graph_id,
      explain: true,
    })
    if (!json.unread) return
    await new Promise((r) => setTimeout(r, 200))
  }
}

const mean = (xs) => (xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : NaN)
const pct = (x) => (Number.isNaN(x) ? '   –' : (100 * x).toFixed(1).padStart(5))
const quantile = (xs, p) => [...xs].sort((a, b) => a - b)[Math.min(xs.length - 1, Math.floor(p * xs.length))]
const share = (groups, text) =>
  groups?.length ? mean(groups.map((alts) => Number(alts.some((a) => text.includes(a.toLowerCase()))))) : NaN
/** Share of the told word triples that stand in the labelled memories: how little of an insight is beside the point. */
function focus(insight, texts) {
  const triples = (t) => {
    const w = t.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    return w.slice(2).map((_, i) => w.slice(i, i + 3).join(' '))
  }
  const labelled = new Set(texts.flatMap(triples)),
    told = triples(insight)
  return told.length ? mean(told.map((t) => Number(labelled.has(t)))) : NaN
}
const flat = (v) =>
  v === null || typeof v !== 'object'
    ? String(v)
    : Array.isArray(v)
      ? v.map(flat).join(', ')
      : Object.entries(v)
          .map(([k, x]) => `${k}: ${flat(x)}`)
          .join('; ')
const known = (xs) => xs.filter((x) => !Number.isNaN(x))

async function insights() {
  const rows = [],
    times = []
  for (const file of files) {
    const graph = JSON.parse(readFileSync(file, 'utf8'))
    const graph_id = values.prefix + graph.graph_id
    const ids = await fill(graph_id, graph.events)
    const texts = new Map(graph.events.map((e) => [e.key, flat(e.payload)]))
    for (const t of graph.tasks) {
      const body = {
        task: t.task,
        graph_id,
        limit: t.limit ?? 5,
        explain: true,
        ...(t.locus_query && { locus_query: t.locus_query }),
        ...(t.context_types && { context_types: t.context_types }),
      }
      const start = performance.now()
      const first = await call('POST', '/v1/memories/insights', body)
      times.push(performance.now() - start)
      const again = await call('POST', '/v1/memories/insights', body)
      const r = first.json
      const got = new Map((r.evidence ?? []).map((e) => [e.memory_id, e.role]))
      const insight = r.insight.toLowerCase().split(/\s+/).slice(0, 80).join(' ')
      const evidence = t.evidence?.length ? mean(t.evidence.map((k) => Number(got.has(ids.get(k))))) : NaN
      const misused = (t.superseded ?? []).some(
        (k) => got.has(ids.get(k)) && got.get(ids.get(k)) !== 'superseded',
      )
      rows.push({
        graph: graph.graph_id,
        id: t.id,
        kind: t.kind,
        evidence,
        answer: share(t.answer_terms, insight),
        action: share(t.action_terms, r.recommendation.toLowerCase()),
        // In temporal tasks the older readings were true in their time: no rule retires them.
        trust: t.superseded?.length && t.kind !== 'temporal' ? Number(!misused) : NaN,
        confidence: Number(t.confidence.includes(r.confidence)),
        band: r.confidence,
        highRight: r.confidence === 'high' ? Number(evidence === 1 && t.confidence.includes('high')) : NaN,
        focus: t.evidence?.length
          ? focus(
              r.insight,
              [...t.evidence, ...(t.superseded ?? [])].map((k) => texts.get(k)),
            )
          : NaN,
        repeatable: Number(first.text === again.text),
        words: r.insight.split(/\s+/).length,
        insight: r.insight,
        recommendation: r.recommendation,
      })
    }
  }
  const kinds = [...new Set(rows.map((r) => r.kind))]
  const fields = ['evidence', 'answer', 'action', 'trust', 'confidence', 'highRight', 'focus', 'repeatable']
  console.log(
    ['kind'.padEnd(14), 'n'.padStart(4), ...fields.map((f) => f.slice(0, 10).padStart(10))].join(' '),
  )
  for (const k of [...kinds, 'all']) {
    const of = rows.filter((r) => k === 'all' || r.kind === k)
    console.log(
      [
        k.padEnd(14),
        String(of.length).padStart(4),
        ...fields.map((f) => pct(mean(known(of.map((r) => r[f])))).padStart(10)),
      ].join(' '),
    )
  }
  const summary = Object.fromEntries(fields.map((f) => [f, mean(known(rows.map((r) => r[f])))]))
  summary.high = mean(rows.map((r) => Number(r.band === 'high')))
  summary.words = mean(rows.map((r) => r.words))
  summary.p50 = quantile(times, 0.5)
  summary.p95 = quantile(times, 0.95)
  summary.tasks = rows.length
  console.log(
    `high on ${pct(summary.high)} % of tasks; ${summary.words.toFixed(0)} words; ${summary.p50.toFixed(1)} ms p50, ${summary.p95.toFixed(1)} ms p95`,
  )
  return { summary, rows }
}

async function recall() {
  const rows = [],
    times = []
  for (const file of files)
    for (const graph of JSON.parse(readFileSync(file, 'utf8')).graphs) {
      const graph_id = values.prefix + graph.graph_id
      const ids = await fill(graph_id, graph.events)
      for (const q of graph.questions) {
        const start = performance.now()
        const { json } = await call('POST', '/v1/memories', {
          graph_id,
          query: q.query,
          limit: 20,
          format: 'json',
        })
        times.push(performance.now() - start)
        const got = json.items.map((i) => i.memory_id),
          gold = q.evidence.map((k) => ids.get(k))
        const at = (k) => mean(gold.map((id) => Number(got.slice(0, k).includes(id))))
        const first = got.findIndex((id) => gold.includes(id))
        rows.push({
          graph: graph.graph_id,
          id: q.id,
          kind: q.kind,
          'R@5': at(5),
          'R@10': at(10),
          'R@20': at(20),
          MRR: first < 0 ? 0 : 1 / (first + 1),
        })
      }
    }
  const fields = ['R@5', 'R@10', 'R@20', 'MRR'],
    summary = {}
  console.log(['kind'.padEnd(14), 'n'.padStart(5), ...fields.map((f) => f.padStart(8))].join(' '))
  for (const k of [...new Set(rows.map((r) => r.kind)), 'answerable', 'all']) {
    const of = rows.filter(
      (r) => k === 'all' || (k === 'answerable' ? r.kind !== 'adversarial' : r.kind === k),
    )
    summary[k] = Object.fromEntries(fields.map((f) => [f, mean(of.map((r) => r[f]))]))
    console.log(
      [
        k.padEnd(14),
        String(of.length).padStart(5),
        ...fields.map((f) => pct(summary[k][f]).padStart(8)),
      ].join(' '),
    )
  }
  console.log(`${quantile(times, 0.5).toFixed(1)} ms p50, ${quantile(times, 0.95).toFixed(1)} ms p95`)
  return { summary, rows }
}

/** Does a link to a context bear on what speaks of the same thing, and on nothing else? */
async function bearing() {
  const rows = []
  for (const file of files)
    for (const c of JSON.parse(readFileSync(file, 'utf8')).cases) {
      const graph_id = `${values.prefix}${c.id}`,
        ids = new Map()
      for (const { key, ...event } of c.memories) {
        const { json } = await call('POST', '/v1/events', { graph_id, context_id: c.context_id, ...event })
        ids.set(json.event_id, key)
      }
      const { json } = await call('POST', '/v1/events', {
        graph_id,
        context_id: c.context_id,
        ...c.new,
        [c.link]: [c.context_id],
        ...(values.similar && { similar: true }),
      })
      const got = [
          ...new Set(
            (json.bears_on ?? []).filter((b) => b.effect !== 'noted').map((b) => ids.get(b.memory_id)),
          ),
        ],
        gold = new Set(c.bears_on)
      const right = got.filter((k) => gold.has(k)).length,
        offered = new Set([
          ...got,
          ...[
            ...(json.similar ?? []),
            ...(json.bears_on ?? []),
            ...(json.unresolved ?? []).flatMap((u) => u.candidates ?? []),
          ].map((x) => ids.get(x.memory_id)),
        ])
      rows.push({
        id: c.id,
        link: c.link,
        none: gold.size === 0,
        got,
        right,
        wrong: got.length - right,
        missed: gold.size - right,
        offered: [...gold].filter((k) => offered.has(k)).length,
        exact: Number(right === gold.size && got.length === gold.size),
      })
    }
  const sum = (f, of = rows) => of.reduce((n, r) => n + r[f], 0)
  const summary = {
    precision: sum('right') / Math.max(1, sum('right') + sum('wrong')),
    recall: sum('right') / Math.max(1, sum('right') + sum('missed')),
    exact: mean(rows.map((r) => r.exact)),
    offered: sum('offered') / Math.max(1, sum('right') + sum('missed')),
    quiet: mean(rows.filter((r) => r.none).map((r) => r.exact)),
  }
  for (const link of ['contradicts', 'reinforces', 'extends']) {
    const of = rows.filter((r) => r.link === link),
      right = sum('right', of),
      meant = Math.max(1, right + sum('missed', of))
    console.log(
      link.padEnd(12),
      `precision ${pct(right / Math.max(1, right + sum('wrong', of)))} recall ${pct(right / meant)} told, offered or asked ${pct(sum('offered', of) / meant)} exact ${pct(mean(of.map((r) => r.exact)))}`,
    )
  }
  console.log(
    `precision ${pct(summary.precision)} recall ${pct(summary.recall)} exact ${pct(summary.exact)} told or offered ${pct(summary.offered)} nothing where nothing fits ${pct(summary.quiet)}`,
  )
  return { summary, rows }
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
/** Share of the words of a recommendation that the first line has as well. */
function repeated(recommendation, lead) {
  const had = new Set(words(lead)),
    all = words(recommendation)
  return all.length ? all.filter((w) => had.has(w)).length / all.length : 0
}
/** Questions whose answer is itself what to do: there a recommendation may repeat it. */
const TASKS = new Set(['plan', 'what-when', 'vague', 'task', 'how'])
/** What the first line says when nothing recorded answers the question. */
const NOTHING = /^nothing recorded answers/i

/** Records one by one, as an agent would; `@key` in a link is the memory of that key, `{ erase }` takes one back. Returns key → memory_id. */
async function tell(graph_id, events) {
  const ids = new Map(),
    links = ['reinforces', 'extends', 'contradicts', 'related_to']
  for (const { key, erase, state, expected, ...event } of events) {
    if (erase) {
      await call('DELETE', `/v1/memories/${graph_id}/${ids.get(erase)}`)
      ids.delete(erase)
      continue
    }
    for (const kind of links)
      if (event[kind]) event[kind] = event[kind].map((to) => (to.startsWith('@') ? ids.get(to.slice(1)) : to))
    ids.set(key, (await call('POST', '/v1/events', { graph_id, ...event })).json.event_id)
  }
  await allRead(graph_id)
  return ids
}

async function answers() {
  const rows = [],
    states = []
  for (const file of files) {
    const graph = JSON.parse(readFileSync(file, 'utf8')),
      graph_id = values.prefix + graph.graph_id
    const ids = await tell(graph_id, graph.events)
    for (const { key, state } of graph.events)
      if (state && ids.has(key)) {
        const { json } = await call('GET', `/v1/memories/${graph_id}/${ids.get(key)}`)
        states.push({
          graph: graph.graph_id,
          key,
          want: state,
          got: json.status,
          right: Number(json.status === state),
        })
      }
    for (const q of graph.questions) {
      const { json: r } = await call('POST', '/v1/memories/insights', {
        task: q.task,
        graph_id,
        explain: true,
      })
      const [line = ''] = r.insight.split('\n'),
        lead = line.slice(0, 200),
        told = r.insight.split(/\s+/).slice(0, 80).join(' '),
        holds = (text) => (q.first ? new RegExp(q.first, 'im').test(text) : NOTHING.test(text))
      const wrong =
        q.not_in !== undefined && new RegExp(q.not_in, 'i').test(q.not_in.startsWith('^') ? lead : r.insight)
      rows.push({
        graph: graph.graph_id,
        kind: q.kind,
        task: q.task,
        expected: q.expected,
        confidence: r.confidence,
        score: r.score,
        insight: r.insight,
        recommendation: r.recommendation,
        first: Number(holds(lead) && !wrong),
        any: Number((holds(told) || holds(lead)) && !wrong),
        band: Number(q.confidence.includes(r.confidence[0])),
        echo: Number(!TASKS.has(q.kind) && repeated(r.recommendation, line) > 0.5),
        falseNone: Number(q.first !== undefined && NOTHING.test(line)),
        leadLength: line.length,
        sureAndWrong: Number(r.confidence === 'high' && !(holds(lead) && !wrong)),
        rightButLow: Number(r.confidence === 'low' && holds(lead) && !wrong && !q.confidence.includes('l')),
      })
    }
  }
  const kinds = [...new Set(rows.map((r) => r.kind))].sort(),
    line = (name, of) =>
      console.log(
        name.padEnd(14),
        String(of.length).padStart(4),
        ...['first', 'any', 'band', 'echo', 'sureAndWrong', 'rightButLow'].map((f) =>
          pct(mean(of.map((r) => r[f]))).padStart(12),
        ),
      )
  console.log(
    'kind              n        first          any         band         echo sureAndWrong  rightButLow',
  )
  for (const kind of kinds)
    line(
      kind,
      rows.filter((r) => r.kind === kind),
    )
  line('all', rows)
  const highs = rows.filter((r) => r.confidence === 'high'),
    summary = {
      first: mean(rows.map((r) => r.first)),
      any: mean(rows.map((r) => r.any)),
      band: mean(rows.map((r) => r.band)),
      echo: mean(rows.map((r) => r.echo)),
      highFirst: mean(highs.map((r) => r.first)),
      high: highs.length / rows.length,
      rightButLow: mean(rows.map((r) => r.rightButLow)),
      states: mean(states.map((r) => r.right)),
      falseNone: mean(rows.filter((r) => r.kind !== 'noanswer').map((r) => r.falseNone)),
      leadLength: quantile(
        rows.map((r) => r.leadLength),
        0.5,
      ),
      past: mean(rows.filter((r) => r.kind === 'past').map((r) => r.first)),
      none: mean(rows.filter((r) => r.kind === 'noanswer').map((r) => r.first)),
    }
  console.log(
    `high on ${pct(summary.high)} %, its first line right ${pct(summary.highFirst)} %; states as a person would say ${pct(summary.states)} % of ${states.length}; nothing recorded said where something is ${pct(summary.falseNone)} %; first line ${summary.leadLength} characters (median)`,
  )
  return { summary, rows, states }
}

const result = await { insights, recall, bearing, answers }[mode]()
if (values.json) writeFileSync(values.json, JSON.stringify(result, null, 1))

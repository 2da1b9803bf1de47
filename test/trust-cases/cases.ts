import { readFileSync } from 'node:fs'
import { toLinks } from '../../src/domain/events/event.js'
import { Recorder } from '../../src/domain/events/recording.js'
import { contentOf } from '../../src/domain/events/same-event.js'
import type { JsonObject, Memory, MemoryId, Receipt, Source } from '../../src/domain/model.js'
import { foldContextId } from '../../src/domain/names.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { claimsIn, fieldsIn, folded } from '../../src/domain/trust/fields.js'
import { presentOf } from '../../src/graph/answers.js'
import { Deciding } from '../../src/graph/deciding.js'
import { Graph } from '../../src/graph/graph.js'

/** A sequence of records, and what a person would say stands at its end. */
export interface Case {
  readonly name: string
  readonly steps: readonly Step[]
  readonly expect: Readonly<Record<string, Expectation>>
  /** The steps that a person would accept to be asked about. */
  readonly asking_is_fine?: readonly string[]
  readonly expect_at?: readonly {
    readonly now: string
    readonly expect: Readonly<Record<string, Expectation>>
  }[]
}

interface Step {
  readonly id: string
  readonly in: string
  readonly payload: JsonObject
  readonly source?: 'validator' | 'human' | 'agent'
  readonly at?: string
  readonly contradicts?: readonly string[]
  readonly reinforces?: readonly string[]
  readonly extends?: readonly string[]
  readonly timestamp?: string
  readonly valid_from?: string
  readonly valid_until?: string
}

/** Steps are named by their ids. A step of which nothing else is expected stands. */
interface Expectation {
  readonly stands?: true
  readonly disputed?: boolean
  readonly replaced?: Readonly<Record<string, string>>
  readonly superseded_by?: string
  readonly status?: string
  readonly confidence?: number
  readonly planned?: boolean
  readonly expired?: boolean
}

/**
 * `right`: as a person would say. `asked`: something was left standing, and the receipt says so with the right candidate.
 * `missed`: something was left standing, and the receipt does not say so. `lost`: something was replaced that stands, or by what
 * does not hold.
 */
export type Verdict = 'right' | 'asked' | 'missed' | 'lost'

export interface Judged {
  readonly name: string
  readonly verdict: Verdict
  readonly why: readonly string[]
}

export function casesIn(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Case[]
}

const DAY_MS = 86_400_000
const SOURCES = { validator: 'validator', human: 'user', agent: 'agent' } as const satisfies Record<
  string,
  Source
>

/** Records the steps of a case one by one, and says how what stands compares with what a person would say. */
export async function judge(one: Case): Promise<Judged> {
  const graph = new Graph(1, new TextCache())
  const ids = new Map<string, MemoryId>()
  const receipts = new Map<string, Receipt>()
  checkNames(one)
  let now = new Date('2026-03-01T09:00:00Z')
  for (const [i, step] of one.steps.entries()) {
    now = step.at === undefined ? new Date(now.getTime() + (i === 0 ? 0 : DAY_MS)) : new Date(step.at)
    const receipt = await record(graph, step, ids, now)
    ids.set(step.id, receipt.memoryId)
    receipts.set(step.id, receipt)
  }
  const looks = [{ now: now.toISOString(), expect: one.expect }, ...(one.expect_at ?? [])]
  const problems = looks.flatMap((look) => {
    const reader = presentOf(graph, new Date(look.now).toISOString())
    return one.steps.flatMap((step) => {
      const memoryOf = (id: MemoryId): Memory => reader.memory(id)
      const found = problemsOf(step, look.expect[step.id] ?? {}, one, memoryOf, receipts)
      return found.map(([kind, what]) => [kind, `${what} at ${look.now}`] as const)
    })
  })
  const worst = (['lost', 'missed', 'asked'] as const).find((kind) => problems.some(([it]) => it === kind))
  return {
    name: one.name,
    verdict: worst ?? 'right',
    why: problems.map(([kind, what]) => `${kind}: ${what}`),
  }
}

/** Records one payload, and then another one that contradicts its context. */
export async function recordedAgainst(before: JsonObject, then: JsonObject) {
  const graph = new Graph(1, new TextCache())
  const ids = new Map<string, MemoryId>()
  const first = await record(
    graph,
    { id: 'a', in: 'fact:example', payload: before },
    ids,
    new Date('2026-03-01'),
  )
  const second = { id: 'b', in: 'fact:example', payload: then, contradicts: ['fact:example'] }
  const receipt = await record(graph, second, ids, new Date('2026-03-02'))
  return {
    memory: presentOf(graph, '2026-03-03T00:00:00.000Z').memory(first.memoryId) satisfies Memory,
    receipt,
  }
}

export async function record(
  graph: Graph,
  step: Step,
  ids: ReadonlyMap<string, MemoryId>,
  now: Date,
): Promise<Receipt> {
  const targets = (list: readonly string[] = []) =>
    list.map((target) => {
      const [, id, field] = /^#([^/]+)(?:\/(.*))?$/u.exec(target) ?? []
      if (id === undefined) return target
      return field === undefined ? (ids.get(id) ?? '') : `${ids.get(id)}#/${encodeURIComponent(field)}`
    })
  const links = toLinks(
    {
      contradicts: targets(step.contradicts),
      reinforces: targets(step.reinforces),
      extends: targets(step.extends),
    },
    '',
  )
  let made = 0
  const clockAndRandom = { now: () => now, randomBytes: (size: number) => new Uint8Array(size).fill(++made) }
  const recorder = new Recorder(graph, contentOf, clockAndRandom)
  const event = {
    contextId: foldContextId(step.in, ''),
    eventKind: 'fact' as const,
    source: SOURCES[step.source ?? 'agent'],
    payload: step.payload,
    links,
    recordedBy: 'key_test',
    ...(step.timestamp !== undefined && { occurredAt: startOf(step.timestamp, now) }),
    ...(step.valid_from !== undefined && { validFrom: startOf(step.valid_from, now) }),
    ...(step.valid_until !== undefined && { validUntil: endOf(step.valid_until) }),
  }
  recorder.refuse(event, '')
  const draft = recorder.record(event)
  const [decided] = await new Deciding(graph).decideAll([draft.record], () => undefined)
  if (decided === undefined) throw new Error(`nothing was decided of ${step.id}`)

  graph.apply({ ...decided.record, seq: graph.lastSeq + 1 })
  await graph.indexes.hashContents()
  return decided.receipt
}

function problemsOf(
  step: Step,
  wanted: Expectation,
  { asking_is_fine = [] }: Case,
  memoryOf: (id: MemoryId) => Memory,
  receipts: ReadonlyMap<string, Receipt>,
): [Exclude<Verdict, 'right'>, string][] {
  const claims = claimsIn(fieldsIn(step.payload, foldContextId(step.in, '')))
  const memory = memoryOf(receipts.get(step.id)?.memoryId ?? '')
  const gone = goneOf(memory, claims)
  const expected =
    wanted.superseded_by === undefined
      ? new Map(Object.entries(wanted.replaced ?? {}).map(([field, by]) => [folded(field), by]))
      : new Map(claims.map((field) => [field, wanted.superseded_by ?? '']))
  const problems: [Exclude<Verdict, 'right'>, string][] = []
  const isFineToAsk = (id: string) =>
    asking_is_fine.includes(id) && receipts.get(id)?.unresolved !== undefined
  // An open question may be why a value is gone.
  const isOpen = asking_is_fine.some(isFineToAsk)
  for (const field of gone)
    if (!expected.has(field) && !isOpen) problems.push(['lost', `${step.id}.${field}`])
  for (const { field, by } of memory.trust.replaced ?? [])
    if (memoryOf(by).trust.status !== 'current')
      problems.push(['lost', `${step.id}.${field} is shown as ${memoryOf(by).trust.status}`])
  for (const [field, by] of expected) {
    if (gone.has(field) || (wanted.superseded_by !== undefined && memory.trust.status === 'superseded'))
      continue
    const offeredBy = (one: string, other: string) =>
      receipts
        .get(one)
        ?.unresolved?.some(({ candidates }) =>
          candidates.some(({ memoryId }) => memoryId === receipts.get(other)?.memoryId),
        )
    // A record that comes late is superseded by the one that it asks about.
    const isAsked = offeredBy(by, step.id) || offeredBy(step.id, by)
    if (!isFineToAsk(by) && !isFineToAsk(step.id))
      problems.push([isAsked ? 'asked' : 'missed', `${step.id}.${field} by ${by}`])
  }
  if (wanted.disputed === true && memory.trust.disputedBy.length === 0)
    problems.push(['missed', `${step.id} is not disputed`])
  const phase = wanted.planned === true ? 'planned' : wanted.expired === true ? 'expired' : undefined
  const { status } = memory.trust
  if (phase === undefined ? isElsewhen(status) && expected.size === 0 : status !== phase)
    problems.push(['lost', `${step.id} is ${status}`])
  if (wanted.status !== undefined && memory.trust.status !== wanted.status)
    problems.push(['lost', `${step.id} is ${memory.trust.status}`])
  if (wanted.confidence !== undefined && memory.trust.confidence !== wanted.confidence)
    problems.push(['lost', `${step.id} has a confidence of ${memory.trust.confidence}`])
  return problems
}

function isElsewhen(status: Memory['trust']['status']): boolean {
  return status === 'planned' || status === 'expired'
}

/** The fields of a memory that no longer stand. */
function goneOf({ trust }: Memory, claims: readonly string[]): Set<string> {
  if (trust.status === 'superseded') return new Set(claims)
  return new Set(trust.replaced?.map(({ field }) => folded(field)))
}

function checkNames({ name, steps, expect, expect_at = [] }: Case): void {
  const ids = new Set(steps.map(({ id }) => id))
  for (const expectations of [expect, ...expect_at.map((look) => look.expect)])
    for (const [id, { replaced = {}, superseded_by }] of Object.entries(expectations))
      for (const named of [id, ...Object.values(replaced), ...(superseded_by ?? '')])
        if (!ids.has(named)) throw new Error(`${name}: there is no step ${named}.`)
}

function startOf(text: string, now: Date): string {
  if (text === now.toISOString().slice(0, 10)) return now.toISOString()
  return new Date(text).toISOString()
}

function endOf(text: string): string {
  return new Date(Date.parse(text) + (text.length === 10 ? DAY_MS : 0)).toISOString()
}

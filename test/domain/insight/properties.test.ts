import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LINK_KINDS, type NewMemory } from '../../../src/domain/model.js'
import { contradicts, event, reinforces } from '../../store/support.js'
import { runsOf } from '../../support/runs.js'
import { type Answer, textsOf, useGraphs } from './support.js'

const graphs = useGraphs()
const RUNS = { numRuns: runsOf({ quick: 10, full: 60 }) }

/** Each subject has words of its own. */
const SUBJECTS = new Map([
  ['rule:signing', ['gateway', 'signing', 'certificate', 'rotate']],
  ['fact:caching', ['cache', 'redis', 'eviction', 'memory']],
  ['note:billing', ['invoice', 'exporter', 'currency', 'tax']],
  ['skill:hiring', ['interview', 'candidate', 'salary', 'resume']],
  ['tool:editing', ['cursor', 'keyboard', 'shortcut', 'font']],
])
const IDS = [...SUBJECTS.keys()]
const ALL = [...SUBJECTS.values()].flat()

const link = fc.record({ kind: fc.constantFrom(...LINK_KINDS), target: fc.constantFrom(...IDS) })

/** Any small graph: words of all subjects, links of all kinds. */
const anyGraph = fc
  .array(
    fc.record({
      contextId: fc.constantFrom(...IDS),
      words: fc.array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 6 }),
      links: fc.array(link, { maxLength: 2 }),
      source: fc.constantFrom('agent' as const, 'validator' as const, 'system' as const),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ contextId, words, links, source }) => event(contextId, words.join(' '), { links, source })),
  )
const anyTask = fc.uniqueArray(fc.constantFrom(...ALL), { minLength: 1, maxLength: 4 })

/** A graph in which one memory answers the question: each subject keeps to its own words, and nothing is linked. */
const answered = fc
  .record({
    order: fc.shuffledSubarray(IDS, { minLength: IDS.length }),
    asked: fc.constantFrom(...IDS),
    words: fc.integer({ min: 2, max: 4 }),
  })
  .map(({ order, asked, words }) => {
    const events = order.map((id) => event(id, `The ${SUBJECTS.get(id)?.join(' ')} matter.`))
    return {
      events,
      lead: order.indexOf(asked),
      task: SUBJECTS.get(asked)?.slice(0, words).join(' ') ?? '',
    }
  })

/** Shares no stem with any subject, nor with any question. */
const UNRELATED = ['zebras graze quietly', 'glaciers melt', 'violins sound mellow at dusk']
const unrelated = fc.constantFrom(...UNRELATED)

function bytesOf(answer: Answer): string {
  return JSON.stringify(answer)
}

/** What an answer was made from, in its order. */
function restsOn({ evidence }: Answer): string {
  return evidence.map(({ memory, role }) => `${memory.memoryId} ${role}`).join()
}

describe('any graph, any question', () => {
  test('asked twice, the answer is the same bytes; also after the store was opened again', async () => {
    const asked: { again(): Promise<Answer>; bytes: string }[] = []
    await fc.assert(
      fc.asyncProperty(anyGraph, anyTask, async (events, words) => {
        const graph = await graphs.graphOf(...events)
        const again = () => graph.ask(words.join(' '))
        const bytes = bytesOf(await again())
        expect(bytesOf(await again())).toBe(bytes)
        asked.push({ again, bytes })
      }),
      RUNS,
    )
    await graphs.reopen()
    for (const { again, bytes } of asked) expect(bytesOf(await again())).toBe(bytes)
  })

  test('every cited memory exists in that graph and was not cited before; the score is within 0..1', async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, anyTask, fc.integer({ min: 1, max: 6 }), async (events, words, limit) => {
        const graph = await graphs.graphOf(...events)
        const { evidence, score } = await graph.ask(words.join(' '), { limit })
        const cited = evidence.map(({ memory }) => memory.memoryId)
        expect(new Set(cited).size).toBe(cited.length)
        // What replaced, disputes or contests a memory is shown beside it, whatever the limit; so are three that agree with the best.
        const doubtful = evidence.filter(
          ({ role, contestedBy }) =>
            role === 'superseded' || role === 'contradicts' || contestedBy.length > 0,
        )
        const isReinforced = evidence.some(({ memory }) =>
          memory.links.some(({ kind }) => kind === 'reinforcement'),
        )
        if (doubtful.length === 0) expect(cited.length).toBeLessThanOrEqual(limit + (isReinforced ? 3 : 0))
        for (const id of cited) expect((await graph.memory(id)).memoryId).toBe(id)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
      }),
      RUNS,
    )
  })

  test('the same event again, which is a reinforcement, never lowers the score of an answer that rests on the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, anyTask, async (events, words) => {
        const graph = await graphs.graphOf(...events)
        const before = await graph.ask(words.join(' '))
        const lead = before.evidence.find(({ memory }) => memory.trust.status !== 'superseded')?.memory
        if (lead === undefined) return
        const { contextId, eventKind, source, payload } = lead
        await graph.record({ contextId, eventKind, source, payload, links: [] })
        const after = await graph.ask(words.join(' '))
        if (restsOn(after) === restsOn(before)) expect(after.score).toBeGreaterThanOrEqual(before.score)
      }),
      RUNS,
    )
  })
})

describe('a question that one memory answers', () => {
  const extended = async (
    { events, lead, task }: { events: NewMemory[]; lead: number; task: string },
    more: (leadId: string) => NewMemory,
  ) => {
    const graph = await graphs.graphOf(...events)
    const before = await graph.ask(task)
    expect(textsOf(before)[0]).toBe(events[lead]?.payload['text'])
    await graph.record(more(graph.ids[lead] ?? ''))
    return { before, after: await graph.ask(task) }
  }

  test('a reinforcement in other words never takes its place, nor lowers its confidence', async () => {
    await fc.assert(
      fc.asyncProperty(answered, unrelated, async (given, text) => {
        const { before, after } = await extended(given, (id) => event('zoo:zebra', text, reinforces(id)))
        expect(after.firstLine).toBe(before.firstLine)
        expect(after.level).toBe(before.level)
      }),
      RUNS,
    )
  })

  test('a contradiction never raises its score, whatever its words and its source', async () => {
    const source = fc.constantFrom('agent' as const, 'validator' as const, 'system' as const)
    await fc.assert(
      fc.asyncProperty(answered, unrelated, source, fc.boolean(), async (given, text, by, sameWords) => {
        const { before, after } = await extended(given, (id) =>
          event('zoo:zebra', sameWords ? `Not so: ${given.events[given.lead]?.payload['text']}` : text, {
            source: by,
            ...contradicts(id),
          }),
        )
        expect(after.score).toBeLessThanOrEqual(before.score)
      }),
      RUNS,
    )
  })

  test('an unrelated memory never changes its evidence', async () => {
    await fc.assert(
      fc.asyncProperty(answered, unrelated, async (given, text) => {
        const { before, after } = await extended(given, () => event('zoo:zebra', text))
        const cited = ({ evidence }: Answer) => evidence.map(({ memory }) => memory.memoryId)
        expect(cited(after)).toEqual(cited(before))
        expect(after.insight).toBe(before.insight)
        expect(after.recommendation).toBe(before.recommendation)
      }),
      RUNS,
    )
  })

  test('the order of unrelated events does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(answered, fc.nat(), fc.nat(), async ({ events, task }, a, b) => {
        const swapped = [...events]
        const [i, j] = [a % events.length, b % events.length]
        const [one, other] = [events[i], events[j]]
        if (one === undefined || other === undefined) return
        swapped[i] = other
        swapped[j] = one
        const first = await (await graphs.graphOf(...events)).ask(task)
        const second = await (await graphs.graphOf(...swapped)).ask(task)
        expect(textsOf(second)).toEqual(textsOf(first))
        expect(second.score).toBe(first.score)
        expect(second.insight).toBe(first.insight)
      }),
      RUNS,
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Memory, MemoryId, Status } from '../../src/domain/model.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { readerAt } from '../../src/graph/answers.js'
import { Graph } from '../../src/graph/graph.js'
import { runsOf } from '../support/runs.js'
import { record } from '../trust-cases/cases.js'

/** A value of one thing: from when, until when, and which of the earlier values it says was wrong. */
interface Step {
  readonly from: number
  readonly length: number | undefined
  readonly corrects: number | undefined
}

/** In days; those of beginnings, ends and questions differ, so that nothing happens at once. */
const momentOf = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString()
const RECORDED = 40
const RUNS = runsOf({ quick: 60, full: 3000 })

const histories = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 80 }),
      length: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined, freq: 2 }),
      corrects: fc.option(fc.nat(6), { nil: undefined, freq: 4 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((steps): Step[] => onlyCorrecting(steps.map((step, i) => ({ ...step, from: step.from + i / 100 }))))

function untilOf({ from, length }: Step): number {
  return length === undefined ? Number.POSITIVE_INFINITY : from + length + 0.5
}

interface Spell {
  readonly from: number
  readonly until: number
  isWrong: boolean
}

/** The law, as a list: of the values that have begun and not ended, the last stands. */
class Line {
  readonly #spells: Spell[] = []
  readonly #order: Spell[] = []

  add(step: Step): void {
    const named = this.#named(step)
    if (named !== undefined) named.isWrong = true
    const spell = { from: step.from, until: untilOf(step), isWrong: false }
    this.#order.splice(this.#order.findLastIndex(({ from }) => from <= spell.from) + 1, 0, spell)
    this.#spells.push(spell)
  }

  /** Nothing is wrong twice. */
  isWrongBy(step: Step): boolean {
    const named = this.#named(step)
    const today = RECORDED + this.#spells.length / 1000
    if (named === undefined || named.isWrong || untilOf(step) <= named.from) return false
    // Below an exception another rule holds, for which there are cases.
    const above = this.#order.slice(1 + this.#order.indexOf(named))
    if (above.some(({ until }) => until !== Number.POSITIVE_INFINITY && until > step.from)) return false
    return step.from <= named.from || today < named.from
  }

  #named({ corrects }: Step): Spell | undefined {
    return corrects === undefined ? undefined : this.#spells[corrects]
  }

  at(day: number): Status[] {
    const later = (than: Spell) =>
      this.#order.slice(1 + this.#order.indexOf(than)).filter((one) => !one.isWrong)
    return this.#spells.map((spell) => {
      if (spell.isWrong) return 'superseded'
      if (spell.from > day) return 'planned'
      const isReplaced = (one: Spell) =>
        spell.until <= day
          ? one.from < spell.until && one.until >= spell.until
          : one.from <= day && one.until > day
      if (later(spell).some(isReplaced)) return 'superseded'
      return spell.until <= day ? 'expired' : 'current'
    })
  }
}

/** A value that names another by id says that it was wrong; else it names the context. */
function onlyCorrecting(steps: readonly Step[]): Step[] {
  const line = new Line()
  return steps.map((step) => {
    const kept = line.isWrongBy(step) ? step : { ...step, corrects: undefined }
    line.add(kept)
    return kept
  })
}

async function recorded(steps: readonly Step[]): Promise<{ graph: Graph; ids: MemoryId[] }> {
  const graph = new Graph(1, new TextCache())
  const ids = new Map<string, MemoryId>()
  for (const [i, { from, length, corrects }] of steps.entries()) {
    const target = corrects !== undefined && corrects < i ? `#s${corrects}` : 'flat:12'
    const step = {
      id: `s${i}`,
      in: 'flat:12',
      payload: { rent: 900 + i },
      valid_from: momentOf(from),
      ...(length !== undefined && { valid_until: momentOf(from + length + 0.5) }),
      ...(i > 0 && { contradicts: [target] }),
    }
    const receipt = await record(graph, step, ids, new Date(momentOf(RECORDED + i / 1000)))
    ids.set(step.id, receipt.memoryId)
  }
  return { graph, ids: [...ids.values()] }
}

function statusesAt(graph: Graph, ids: readonly MemoryId[], day: number, place?: number): Status[] {
  const when = { validAt: momentOf(day), ...(place !== undefined && { asOf: { place } }) }
  const reader = readerAt(graph, when, momentOf(RECORDED + 1))
  if (reader === undefined) throw new Error('nothing was recorded by then')
  return ids.map((id) => (reader.memory(id) as Memory).trust.status)
}

describe('T10: what stands at a time', () => {
  it('is of the values that have begun and not ended the one that began last, whatever was recorded when', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.integer({ min: 0, max: 130 })), async (steps, days) => {
        const { graph, ids } = await recorded(steps)
        const line = new Line()
        for (const step of steps) line.add(step)
        for (const day of days) expect(statusesAt(graph, ids, day + 0.25)).toEqual(line.at(day + 0.25))
      }),
      { numRuns: RUNS },
    )
  })

  it('as of a position, is what the graph that ended there says', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 0, max: 130 }), fc.nat(7), async (steps, day, cut) => {
        const { graph, ids } = await recorded(steps)
        const place = 1 + (cut % steps.length)
        const before = await recorded(steps.slice(0, place))
        expect(statusesAt(graph, ids.slice(0, place), day, place)).toEqual(
          statusesAt(before.graph, before.ids, day),
        )
      }),
      { numRuns: RUNS },
    )
  })
})

import fc from 'fast-check'
import { SOURCES, type Source } from '../../../src/domain/model.js'
import { type Links, memoryId, type World } from './world.js'

/** One random step: numbers that pick among what there is at that moment. */
export interface Step {
  readonly what: number
  readonly pick: number
  readonly source: Source
  readonly subject: number
  readonly says: number
  readonly context: number
  readonly unsure: boolean
  readonly links: readonly { readonly kind: number; readonly pick: number; readonly whole: boolean }[]
}

const nat = fc.nat(999)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.nat(19),
    pick: nat,
    source: fc.constantFrom(...SOURCES),
    subject: fc.nat(2),
    says: fc.nat(3),
    context: fc.nat(1),
    unsure: fc.nat(9).map((n) => n === 0),
    links: fc.array(fc.record({ kind: fc.nat(9), pick: nat, whole: fc.boolean() }), {
      maxLength: 3,
      size: 'max',
    }),
  }),
  { minLength: 8, maxLength: 24, size: 'max' },
)

const KINDS = [
  'contradicts',
  'contradicts',
  'contradicts',
  'contradicts',
  'reinforces',
  'reinforces',
  'reinforces',
  'extends',
  'extends',
  'related',
] as const

/** Plays a step; `told` hears of each statement, with its links as they were made, and of each erasure. */
export function play(
  world: World,
  step: Step,
  told: {
    state(id: string, context: string, source: Source, links: { kind: string; target: string }[]): void
    erase(ids: string[]): void
  },
  counter: { memories: number },
): void {
  const { ids } = world
  const any = (pick: number) => ids[pick % ids.length]
  if (step.what < 3 && ids.length > 0) {
    const gone = [...new Set([any(step.pick), any(step.says)].slice(0, 1 + (step.what % 2)))].flatMap(
      (id) => id ?? [],
    )
    told.erase(gone)
    world.erase(...gone)
    return
  }
  const isNew = ids.length === 0 || step.what < 12
  const id = isNew ? memoryId(++counter.memories) : (any(step.pick) ?? '')
  const links: Record<'contradicts' | 'reinforces' | 'extends' | 'related', string[]> = {
    contradicts: [],
    reinforces: [],
    extends: [],
    related: [],
  }
  for (const { kind, pick, whole } of step.links) {
    const target = whole ? `fact:${pick % 2}` : any(pick)
    const field = KINDS[kind] ?? 'related'
    const clash = field === 'contradicts' ? links.reinforces : field === 'reinforces' ? links.contradicts : []
    if (target !== undefined && !links[field].includes(target) && !(clash.includes(target) && !whole))
      links[field].push(target)
  }
  const context = isNew ? `fact:${step.context}` : (world.table.get(id)?.contextId ?? '')
  const text = { subject: `${step.subject}`, says: `${step.says}`, unsure: step.unsure }
  if (isNew) world.texts.set(id, text)
  told.state(id, context, step.source, listed(links))
  world.state(id, step.source, links, isNew ? { text, contextId: context } : undefined)
}

function listed(links: Links): { kind: string; target: string }[] {
  const order = ['reinforces', 'extends', 'contradicts', 'related'] as const
  return order.flatMap((kind) => (links[kind] ?? []).map((target) => ({ kind, target })))
}

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Source } from '../../../src/domain/model.js'
import { type Links, memoryId, World } from './world.js'

interface Step extends Links {
  readonly do: 'record' | 'state again' | 'erase'
  readonly id: string
  readonly source: Source
  readonly subject: string
  readonly says?: string
  readonly context: string
  readonly unsure?: boolean
  /** Which key records it; the same one everywhere else. */
  readonly by?: string
}

interface Story {
  readonly name: string
  readonly steps: readonly Step[]
  readonly want: Readonly<Record<string, readonly string[]>>
  readonly disputes?: readonly (readonly string[])[]
  readonly confidence?: Readonly<Record<string, readonly [number, number]>>
  readonly doubt?: Readonly<Record<string, boolean>>
}

const file = new URL('../../fixtures/stories.json', import.meta.url)
const { stories } = JSON.parse(readFileSync(file, 'utf8')) as { stories: Story[] }

describe('T7: everyday stories end with what a person would expect', () => {
  it.each(stories.map((story) => [story.name, story] as const))('%s', (_, story) => {
    const ids = new Map<string, string>()
    const idOf = (name: string) => ids.get(name) ?? ''
    const world = new World()
    for (const step of story.steps) play(world, step, ids)
    const names = [...ids.keys()].filter((name) => world.texts.has(idOf(name)))
    for (const [name, allowed] of Object.entries(story.want))
      expect(allowed, `${name} of ${world.statusOf(idOf(name))}`).toContain(world.statusOf(idOf(name)))
    if (story.disputes !== undefined) {
      const open = names.flatMap((a) =>
        names.filter((b) => a < b && world.assess(idOf(a)).disputedBy.includes(idOf(b))).map((b) => [a, b]),
      )
      expect(open.sort()).toEqual([...story.disputes].map((pair) => [...pair].sort()).sort())
    }
    for (const [name, [least, most]] of Object.entries(story.confidence ?? {})) {
      const { confidence } = world.assess(idOf(name))
      expect(confidence, name).toBeGreaterThanOrEqual(least)
      expect(confidence, name).toBeLessThanOrEqual(most)
    }
    for (const [name, doubted] of Object.entries(story.doubt ?? {}))
      expect(world.isDoubted(idOf(name)), `${name} is doubted`).toBe(doubted)
    expect(() => world.imported()).not.toThrow()
  })
})

function play(world: World, step: Step, ids: Map<string, string>): void {
  const idOf = (name: string) => (name.startsWith('ctx:') ? `fact:${name.slice(4)}` : (ids.get(name) ?? ''))
  const links = {
    contradicts: (step.contradicts ?? []).map(idOf),
    reinforces: (step.reinforces ?? []).map(idOf),
    extends: (step.extends ?? []).map(idOf),
  }
  if (step.do === 'erase') world.erase(idOf(step.id))
  if (step.do === 'state again') world.state(idOf(step.id), step.source, links, undefined, step.by)
  if (step.do !== 'record') return
  const { subject, says, unsure } = step
  ids.set(step.id, memoryId(ids.size + 1))
  const text = {
    subject,
    ...(says === undefined ? {} : { says }),
    ...(unsure === undefined ? {} : { unsure }),
  }
  world.state(idOf(step.id), step.source, links, { text, contextId: `fact:${step.context}` }, step.by)
}

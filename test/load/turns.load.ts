import { expect, test } from 'vitest'
import { inTurns } from '../../src/http/steps/body.js'
import { parseLongJson } from '../../src/http/steps/parse-json.js'
import { MemoryFiles } from '../faults/support/memory-files.js'
import { openOn } from '../faults/support/scene.js'
import { ask, at, event } from '../store/support.js'
import { expectBelow } from '../support/quick.js'
import { longestTurn } from '../support/turns.js'

const MEMORIES = 20_000
const CONTEXTS = 50

test('a long body is parsed in short turns of the event loop', async () => {
  const events = Array.from(
    { length: 250 },
    (_, i) => `{"event_kind":"fact","payload":{"data":"${i} ${'x'.repeat(60_000)}"}}`,
  )
  const bytes = Buffer.from(`{"graph_id":"big","events":[${events.join(',')}]}`)
  await inTurns(parseLongJson(bytes))
  await expectBelow(50, () => longestTurn(() => inTurns(parseLongJson(bytes))))
})

test('reads are answered in short turns while a large graph is erased from, each as before or as after', async () => {
  const store = await openOn(new MemoryFiles(), { compactBytes: 200_000 })
  for (let start = 0; start < MEMORIES; start += 500)
    await store.append(
      'g',
      Array.from({ length: 500 }, (_, i) =>
        event(`skill:${i % CONTEXTS}`, `word${i % 7} note${start + i} plain`),
      ),
      at,
    )
  const read = () => ask(store, 'g').retrieve({ terms: ['word3', 'note1234'], limit: 5 })
  await read()
  let before = MEMORIES
  let context = 0
  await expectBelow(100, async () => {
    const left = before - MEMORIES / CONTEXTS
    const counts: number[] = []
    let isDone = false
    const longest = await longestTurn(async () => {
      const scope = { contextId: `skill:${context++}` }
      const erasing = store.erase('g', scope, { dryRun: false }).finally(() => {
        isDone = true
      })
      while (!isDone) {
        const { found, memoryCount } = await read()
        expect(found).toHaveLength(5)
        counts.push(memoryCount)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await erasing
    })
    expect(counts.length).toBeGreaterThan(20)
    expect(counts.filter((count) => count !== before && count !== left)).toEqual([])
    expect((await read()).memoryCount).toBe(left)
    before = left
    return longest
  })
  await store.close()
})

import { describe, expect, test } from 'vitest'
import { MemoryFiles } from '../../../faults/support/memory-files.js'
import { createProgress, expectKept, openOn, play } from '../../../faults/support/scene.js'
import { ask, at, event, everything, FIRST } from '../../../store/support.js'

describe('graphs open on demand', () => {
  test('those not used for longest are closed when memory is short, and answer the same when asked again', async () => {
    const files = new MemoryFiles()
    const store = await openOn(files, { memoryBudget: 20_000 })
    const graphs = Array.from({ length: 12 }, (_, i) => `graph-${i}`)
    for (const graph of graphs) await store.append(graph, [event('skill:a', graph.repeat(50))], at)
    const before = await Promise.all(graphs.map((graph) => everything(store, graph)))
    expect(store.stats().open).toBeLessThan(8)
    expect(await Promise.all(graphs.map((graph) => everything(store, graph)))).toEqual(before)
    await Promise.all(
      graphs.flatMap((graph) => [
        store.append(graph, [event('skill:b', 'more')], at),
        ask(store, graph).contextTypes(FIRST),
        store.append(graph, [event('skill:c', 'still more')], at),
      ]),
    )
    for (const graph of graphs) expect((await ask(store, graph).contextsOfType('skill', FIRST)).total).toBe(3)
    await store.close()
    expect(files.open).toBe(0)
  })

  test('D7: one that cannot be read is refused, the others are served, and it comes back', async () => {
    const files = new MemoryFiles()
    const progress = createProgress()
    const first = await openOn(files)
    await play(first, progress, 6)
    await first.close()
    const store = await openOn(files)
    files.before = (operation, path) => {
      if (operation === 'read' && path.includes('/two.'))
        throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    await expect(ask(store, 'two').contextTypes(FIRST)).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect((await ask(store, 'one').contextTypes(FIRST)).total).toBe(1)
    files.before = () => undefined
    await expectKept(store, progress)
    await store.close()
  })

  test('D11: the clock may jump between writes and restarts: ids and times only rise', async () => {
    const files = new MemoryFiles()
    const ids: string[] = []
    for (const day of ['2025-06-01', '2025-05-31', '2026-06-01', '1970-01-01', '2025-06-02']) {
      const store = await openOn(files, { now: () => new Date(`${day}T00:00:00.000Z`) })
      for (let i = 0; i < 3; i++)
        ids.push(...(await store.append('g', [event('skill:a', `${day} ${i}`)], at)).map((it) => it.memoryId))
      const { items } = await ask(store, 'g').contextMemories('skill:a', FIRST)
      const times = items.map(({ recordedAt }) => recordedAt).reverse()
      expect([...times].sort()).toEqual(times)
      await store.close()
    }
    expect([...new Set(ids)].sort()).toEqual(ids)
  })
})

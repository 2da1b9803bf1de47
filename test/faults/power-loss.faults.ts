import { expect, test } from 'vitest'
import { ask, at, event } from '../store/support.js'
import { createRandom } from '../support/random.js'
import { MemoryFiles } from './support/memory-files.js'
import { scaled } from './support/scale.js'
import { createProgress, expectKept, openOn, type Progress, play } from './support/scene.js'
import { tell } from './support/tell.js'

const ROUNDS = 24

/** Plays the scene and hands over the disk and what was acknowledged before each operation. */
async function record(visit: (files: MemoryFiles, progress: Progress, operation: string) => void) {
  const files = new MemoryFiles()
  const progress = createProgress()
  files.before = (operation) => {
    if (operation !== 'read' && operation !== 'open' && operation !== 'list')
      visit(files, progress, operation)
  }
  const store = await openOn(files)
  await play(store, progress, ROUNDS)
  await store.close()
  return { files, progress }
}

function copyOf({ sent, acknowledged, refused }: Progress): Progress {
  return { sent: new Map(sent), acknowledged: new Map(acknowledged), refused: new Map(refused) }
}

test('D2: power loss at any operation: all that was acknowledged is there, whatever part of the rest is', async () => {
  const perOperation = scaled(13, 32)
  const random = createRandom(1)
  const states: { files: MemoryFiles; progress: Progress }[] = []
  await record((files, progress) => {
    for (let i = 0; i < perOperation; i++)
      states.push({ files: files.afterPowerCut(random), progress: copyOf(progress) })
  })
  expect(states.length).toBeGreaterThanOrEqual(scaled(2000, 5000))
  for (const { files, progress } of states) {
    const store = await openOn(files)
    await expectKept(store, progress)
    await store.append('one', [event('skill:new', 'after the cut')], at)
    await store.close()
    const again = await openOn(files.afterKill())
    expect(await ask(again, 'one').context('skill:new')).toMatchObject({ memoryCount: 1 })
    await again.close()
  }
  tell('D2', `${states.length} crash states, none violated`)
})

test('D12: kill -9 at any step of a fold: the same graph, and nothing left lying about', async () => {
  const states: { files: MemoryFiles; progress: Progress }[] = []
  let folds = 0
  await record((files, progress, operation) => {
    if (operation === 'rename') folds++
    states.push({ files: files.afterKill(), progress: copyOf(progress) })
  })
  expect(folds).toBeGreaterThan(4)
  for (const { files, progress } of states) {
    const store = await openOn(files)
    await expectKept(store, progress)
    await store.close()
    expect([...files.names.files.keys()].filter((path) => path.endsWith('.tmp'))).toEqual([])
  }
  tell('D12', `${states.length} kills, ${folds} files replaced`)
})

test('D8: the n-th file operation fails: consistent at once and on reopening, no file left open', async () => {
  for (const code of ['EIO', 'ENOSPC', 'EMFILE']) {
    let runs = 0
    for (let failed = true; failed; runs++) {
      failed = await playFailing(code, runs + 1)
      expect(runs).toBeLessThan(10_000)
    }
    tell('D8', `${runs} runs with ${code}`)
  }
})

function isCalled(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function playFailing(code: string, nth: number): Promise<boolean> {
  const files = new MemoryFiles()
  const progress = createProgress()
  let count = 0
  files.before = (operation, path) => {
    if (++count === nth) throw Object.assign(new Error(`${code} ${operation} ${path}`), { code })
  }
  try {
    const store = await openOn(files)
    await play(store, progress, scaled(8, ROUNDS))
    for (const graph of ['one', 'two'])
      for (const number of progress.refused.get(graph) ?? [])
        expect(number).toBeLessThan(progress.sent.get(graph) ?? 0)
    await expectKept(store, progress)
    await store.close().catch(() => undefined)
  } catch (error) {
    // The start itself may fail, and then says so.
    if (!isCalled(error, code) && !(error instanceof Error && isCalled(error.cause, code))) throw error
  }
  expect(files.open).toBe(0)
  files.before = () => undefined
  const again = await openOn(files.afterKill())
  await expectKept(again, progress)
  await again.close()
  return count >= nth
}

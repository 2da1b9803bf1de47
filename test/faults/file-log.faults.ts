import { expect, test } from 'vitest'
import { verifyFolder } from '../../src/log/file/verify.js'
import { entry } from '../log/graph-log.suite.js'
import { createRandom } from '../support/random.js'
import {
  copyOf,
  createLedger,
  expectKept,
  FOLDER,
  type Ledger,
  openLogOn,
  play,
  textsIn,
} from './support/log-scene.js'
import { MemoryFiles } from './support/memory-files.js'
import { scaled } from './support/scale.js'
import { tell } from './support/tell.js'

const ROUNDS = 24

/** Plays the scene and hands over the disk and what was acknowledged before each change to it. */
async function record(visit: (files: MemoryFiles, ledger: Ledger) => void): Promise<void> {
  const files = new MemoryFiles()
  const ledger = createLedger()
  files.before = (operation) => {
    if (!['read', 'open', 'list'].includes(operation)) visit(files, ledger)
  }
  const log = await openLogOn(files)
  await play(log, ledger, ROUNDS)
  await log.close()
  expect(log.stats().compactions).toBeGreaterThan(1)
}

async function expectWhole(files: MemoryFiles, ledger: Ledger): Promise<void> {
  const log = await openLogOn(files)
  await expectKept(log, ledger)
  const head = await log.head('one')
  await log.append('one', head, [entry((head?.position ?? 0) + 1, 'after the cut')])
  await log.close()
  const again = await openLogOn(files.afterKill())
  expect((await textsIn(again, 'one')).at(-1)).toBe('after the cut')
  await again.close()
  expect([...files.names.files.keys()].filter((path) => path.endsWith('.tmp'))).toEqual([])
  const { broken, graphs, strays } = await verifyFolder(files, FOLDER)
  expect([broken, ...graphs.map((graph) => graph.broken), ...strays]).toEqual(
    graphs.map(() => undefined).concat(undefined),
  )
  const bytes = [...files.names.files.keys()].map((path) => files.bytes(path).toString()).join('\n')
  for (const text of ledger.erased) expect(bytes).not.toContain(text)
}

test('D2: power loss at any operation: what was acknowledged is there, what was not is whole or absent', async () => {
  const random = createRandom(1)
  const states: { files: MemoryFiles; ledger: Ledger }[] = []
  await record((files, ledger) => {
    for (let i = 0; i < scaled(2, 12); i++)
      states.push({ files: files.afterPowerCut(random), ledger: copyOf(ledger) })
  })
  for (const { files, ledger } of states) await expectWhole(files, ledger)
  tell('D2', `${states.length} crash states of a log, none violated`)
})

test('D12: kill -9 before any operation: the same, and nothing is left lying about', async () => {
  const states: { files: MemoryFiles; ledger: Ledger }[] = []
  await record((files, ledger) => void states.push({ files: files.afterKill(), ledger: copyOf(ledger) }))
  for (const { files, ledger } of states) await expectWhole(files, ledger)
  tell('D12', `${states.length} kills of a log`)
})

test('D8: the n-th file operation fails: consistent at once and on reopening, no file left open', async () => {
  for (const code of ['EIO', 'ENOSPC', 'EMFILE']) {
    let runs = 0
    for (let failed = true; failed; runs++) failed = await playFailing(code, 1 + runs * scaled(3, 1))
    tell('D8', `${runs} runs of a log with ${code}`)
  }
})

async function playFailing(code: string, nth: number): Promise<boolean> {
  const files = new MemoryFiles()
  const ledger = createLedger()
  let count = 0
  files.before = (operation, path) => {
    if (++count === nth) throw Object.assign(new Error(`${code} ${operation} ${path}`), { code })
  }
  const log = await openLogOn(files).catch(() => undefined)
  if (log !== undefined) {
    await play(log, ledger, ROUNDS)
    await log.close().catch(() => undefined)
  }
  expect(files.open).toBe(0)
  files.before = () => undefined
  const again = await openLogOn(files.afterKill())
  await expectKept(again, ledger)
  await again.close()
  return count >= nth
}

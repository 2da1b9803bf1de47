import { expect, test } from 'vitest'
import { type Finding, repairFolder } from '../../src/log/file/repair.js'
import { verifyFolder } from '../../src/log/file/verify.js'
import { entry } from '../log/graph-log.suite.js'
import { entriesIn, erasing, FOLDER, openLogOn, textsIn } from './support/log-scene.js'
import { MemoryFiles } from './support/memory-files.js'
import { tell } from './support/tell.js'

const RECORDS = 40
let numbers = 0
const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => ++numbers)

/** Two graphs; the first one has a byte in its journal that is not what was written, and so has the manifest if wanted. */
async function damaged(inManifest: boolean): Promise<MemoryFiles> {
  const files = new MemoryFiles()
  const log = await openLogOn(files)
  for (const graph of ['one', 'two']) {
    let head = await log.append(graph, undefined, [entry(1, 'text 1')])
    for (let i = 2; i <= RECORDS; i++)
      head = await log.append(graph, head, [entry(i, `text ${i} ${'x'.repeat(60)}`)])
  }
  const gone = await log.append('gone', undefined, [entry(1, 'removed')])
  await log.remove('gone', gone)
  await log.close()
  const journal = [...files.names.files.keys()].find((path) => /graphs\/one\..*journal/.test(path)) ?? ''
  for (const path of inManifest ? [journal, `${FOLDER}/manifest.1.ndjson`] : [journal]) flip(files, path, 0.6)
  return files
}

function flip(files: MemoryFiles, path: string, share: number): void {
  const bytes = Buffer.from(files.bytes(path))
  const at = Math.floor(bytes.length * share)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  files.put(path, bytes)
}

async function repaired(files: MemoryFiles, truncate = true): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of repairFolder({ files, folder: FOLDER, randomBytes }, truncate))
    findings.push(finding)
  return findings
}

async function expectRepaired(files: MemoryFiles, kept: readonly string[]): Promise<void> {
  const log = await openLogOn(files)
  expect(await textsIn(log, 'one')).toEqual(kept)
  expect(await textsIn(log, 'two')).toHaveLength(RECORDS)
  expect((await log.graphs(undefined, { page: 0, pageSize: 9 })).items).toEqual(['one', 'two'])
  await log.close()
  const { broken, graphs, strays } = await verifyFolder(files, FOLDER)
  expect([broken, strays, graphs.filter((graph) => graph.broken !== undefined)]).toEqual([undefined, [], []])
  const aside = [...files.names.files.keys()].filter((path) => path.includes('journal.ndjson.damaged-'))
  expect(aside.length).toBeGreaterThan(0)
}

for (const inManifest of [false, true])
  test(`D20: a repair${inManifest ? ' without a manifest' : ''} that is killed before any operation, or of which any fails, can be run again, and keeps the same`, async () => {
    const before = await damaged(inManifest)
    const whole = before.afterKill()
    await repaired(whole)
    const log = await openLogOn(whole)
    const kept = await textsIn(log, 'one')
    await log.close()
    expect(kept.length).toBeGreaterThan(5)
    let runs = 0
    for (let isOver = false; !isOver; runs++)
      for (const code of ['EIO', 'ENOSPC', 'killed']) {
        const files = before.afterKill()
        let count = 0
        files.before = (operation, path) => {
          if (++count === runs + 1 || (code === 'killed' && count > runs))
            throw Object.assign(new Error(`${code} ${operation} ${path}`), { code })
        }
        await repaired(files).catch(() => undefined)
        isOver = count <= runs
        files.before = () => undefined
        expect(files.open).toBe(0)
        const next = files.afterKill()
        await repaired(next)
        await expectRepaired(next, kept)
      }
    tell('D20', `${runs} operations of a repair, each killed and failed`)
  })

test('D20: what a repair of 0.2 left that was cut short is mended from what it set aside', async () => {
  const files = await damaged(false)
  const whole = files.afterKill()
  await repaired(whole)
  const log = await openLogOn(whole)
  const kept = await textsIn(log, 'one')
  await log.close()
  for (const path of [...files.names.files.keys()])
    if (/graphs\/one\..*\/(journal\.ndjson|snapshot\.json)$/.test(path))
      await files.rename(path, `${path}.damaged-1`)
  expect((await verifyFolder(files, FOLDER)).graphs[0]?.broken).toBeDefined()
  await repaired(files)
  await expectRepaired(files, kept)
})

test('D20: an erasure takes what a repair set aside, and nothing else does', async () => {
  const files = await damaged(false)
  await repaired(files)
  const names = (on: MemoryFiles) => [...on.names.files.keys()].filter((path) => path.includes('.damaged-'))
  const taken = files.afterKill()
  taken.names.files.delete(`${FOLDER}/clean.1`)
  const log = await openLogOn(taken)
  const head = await log.head('one')
  if (head === undefined) throw new Error('The graph is there.')
  const next = await log.append('one', head, [entry(head.position + 1, 'after')])
  expect(names(taken)).toHaveLength(names(files).length)
  const [victim] = await entriesIn(log, 'one')
  if (victim !== undefined) await log.erase('one', next, erasing(next, victim))
  expect(names(taken)).toEqual([])
  await log.close()
})

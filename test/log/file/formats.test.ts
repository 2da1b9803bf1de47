import { createHash, randomBytes } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { repair } from '../../../src/cli/commands/repair.js'
import { verify } from '../../../src/cli/commands/verify.js'
import { encodeExport } from '../../../src/domain/transfer/encode.js'
import { encodeLine } from '../../../src/log/file/frame.js'
import { openFileStore } from '../../../src/log/file-store.js'
import { event, FIRST, record } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'

const fixtures = new URL('../../fixtures/', import.meta.url)
let folder = ''
const open = () => openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT })
const take = (name: string) => cp(new URL(name, fixtures), folder, { recursive: true })

beforeEach(() => {
  folder = temporaryFolder()
})

/** Every file of the data folder and its bytes, but for the lock. */
async function filesIn(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !entry.name.startsWith('lock')) found.set(file, await readFile(file, 'latin1'))
  }
  return found
}

async function exportOf(graphId: string): Promise<string> {
  const store = await open()
  const { latestAt = '', events } = await store.exportGraph(graphId)
  let text = ''
  const graph = { graphId, exportedAt: latestAt, events }
  for await (const some of encodeExport(graph, createHash('sha256'))) text += some
  await store.close()
  return text
}

describe('D15: data of 0.2', () => {
  beforeEach(() => take('v0.2.0-data'))

  test('D15: it opens as it is, exports the same bytes, and goes on', async () => {
    const then: Record<string, string> = JSON.parse(
      await readFile(new URL('v0.2.0-exports.json', fixtures), 'utf8'),
    )
    expect(await verify(folder, () => undefined)).toBe(0)
    for (const [graph, text] of Object.entries(then))
      expect(await exportOf(graph)).toBe(text.replace('{"loregraph":2,', '{"loregraph":3,'))
    const store = await open()
    expect((await store.graphs(undefined, FIRST)).items).toEqual(['Other.Graph', 'demo'])
    expect(await store.keys.find('c'.repeat(64))).toMatchObject({ keyId: 'key_1' })
    await store.erase('demo', { contextId: 'fact:numbers' }, { dryRun: false })
    await record(store, 'demo', event('decision:test_runner', 'We use Jest again.'))
    await store.close()
    const lines = (await exportOf('demo')).split('\n')
    expect(lines).toHaveLength(7)
    expect(lines.join()).not.toContain('Number')
    expect(await verify(folder, () => undefined)).toBe(0)
  })
})

describe('D15: data of 0.1', () => {
  test('D15, 78: it is refused with a sentence, by a repair as well, and nothing is touched', async () => {
    await take('v0.1.0-data')
    const before = await filesIn(folder)
    await expect(open()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('Open the data folder with Loregraph 0.2 first.'),
    })
    const lines: string[] = []
    expect(await verify(folder, (line) => lines.push(line))).toBe(78)
    expect(await repair(folder, { truncate: true }, (line) => lines.push(line))).toBe(78)
    expect(lines.join('\n')).toContain('Loregraph 0.2 first')
    expect(await filesIn(folder)).toEqual(before)
  })
})

describe('D15: data of a later version', () => {
  beforeEach(() => take('v0.2.0-data'))
  const header = (log: string) => encodeLine({ format: 99, log, after: 0 })
  const found = async (under: string, name: RegExp) =>
    join(under, (await readdir(under)).find((file) => name.test(file)) ?? '')
  const graph = async (file: string) => join(await found(join(folder, 'graphs'), /^demo\./), file)

  const later: [string, () => Promise<string>, (before: Buffer) => Buffer][] = [
    ['manifest', () => found(folder, /^manifest/), (before) => withFirstLine(before, header('manifest'))],
    ['journal', () => graph('journal.ndjson'), (before) => withFirstLine(before, header('graph demo'))],
    [
      'snapshot',
      () => graph('snapshot.json'),
      (before) => Buffer.from(before.toString().replace('"format":2', '"format":99')),
    ],
    ['keys', () => found(folder, /^keys/), () => Buffer.from('{"format":99,"keys":"sealed"}')],
  ]

  test.each(later)(
    'D15: a %s of a newer format is refused with 78, and nothing is touched',
    async (_, path, make) => {
      const file = await path()
      await writeFile(file, make(await readFile(file)))
      const before = await filesIn(folder)
      await expect(open()).rejects.toMatchObject({
        exitCode: 78,
        file,
        message: expect.stringContaining('a newer Loregraph wrote it'),
      })
      expect(await verify(folder, () => undefined)).toBe(78)
      expect(await filesIn(folder)).toEqual(before)
    },
  )
})

function withFirstLine(file: Buffer, line: Buffer): Buffer {
  return Buffer.concat([line, file.subarray(file.indexOf(0x0a) + 1)])
}

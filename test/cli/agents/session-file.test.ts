import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionFile, tidySessions } from '../../../src/cli/agents/session-file.js'
import { temporaryFolder } from '../../support/folder.js'

let file: string
beforeEach(() => {
  file = join(temporaryFolder(), 'sessions', 'one')
})

describe('what a session was told', () => {
  test('is known to the next hook', async () => {
    expect(await sessionFile(file, 'a').mark(['mem_1', 'mem_2'])).toEqual(['mem_1', 'mem_2'])
    expect(await sessionFile(file, 'b').mark(['mem_2', 'mem_3'])).toEqual(['mem_3'])
    expect(await sessionFile(file, 'c').has('mem_3')).toBe(true)
    expect(await sessionFile(file, 'c').has('mem_4')).toBe(false)
  })

  test('twenty hooks at once: each memory is told by exactly one', async () => {
    const words = Array.from({ length: 10 }, (_, i) => `mem_${i}`)
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sessionFile(file, `token${i}`).mark(words)),
    )
    expect(claims.flat().sort()).toEqual(words)
  })

  test.each([
    ['half a line at the end', 'a mem_1\nb mem_'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 10, 0x80])],
    ['something else', '{"mem_9": true}\n\n  \n a b c d'],
  ])('a broken file, %s: what is whole counts, and it can be added to', async (_, content) => {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, content)
    expect(await sessionFile(file, 'z').mark(['mem_7'])).toEqual(['mem_7'])
    expect(await sessionFile(file, 'y').mark(['mem_7'])).toEqual([])
    expect(await sessionFile(file, 'x').has('mem_1')).toBe(String(content).startsWith('a mem_1'))
  })

  test('a file that has grown too large does not grow further, and nothing more is told', async () => {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, 'a mem_1\n'.repeat(10_000))
    expect(await sessionFile(file, 'z').mark(['mem_7'])).toEqual([])
    expect((await readFile(file)).length).toBe(80_000)
  })

  test('after the conversation was emptied, memories may be told again; what was done stays done', async () => {
    await sessionFile(file, 'a').mark(['mem_1', 'changed'])
    await sessionFile(file, 'b').forgetShownMemories()
    expect(await sessionFile(file, 'c').mark(['mem_1', 'changed'])).toEqual(['mem_1'])
    expect(await sessionFile(file, 'd').mark(['mem_1'])).toEqual([])
  })
})

test('old sessions are removed, and the oldest of too many', async () => {
  const folder = temporaryFolder()
  const now = new Date('2026-06-01T00:00:00Z')
  for (let i = 0; i < 210; i++) {
    await writeFile(join(folder, String(i)), '')
    const at = new Date(now.getTime() - i * 1000 - (i === 3 ? 8 * 86_400_000 : 0))
    await utimes(join(folder, String(i)), at, at)
  }
  await tidySessions(folder, now)
  const left = await readdir(folder)
  expect(left).toHaveLength(200)
  expect(left).toContain('0')
  for (const gone of ['3', '209', '201']) expect(left).not.toContain(gone)
  await tidySessions(join(folder, 'not there'), now)
})

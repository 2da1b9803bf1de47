import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const FOLDER = new URL('../../docs/adr/', import.meta.url)
const MAX_LINES = 15
const records = (await readdir(FOLDER)).filter((name) => name !== 'README.md').sort()

describe('docs/adr', () => {
  test.each(records)('%s: title, date, decision, reason and consequences, in few lines', async (name) => {
    const text = await readFile(new URL(name, FOLDER), 'utf8')
    const number = /^(\d{3})-[a-z-]+\.md$/.exec(name)?.[1]
    expect(text).toMatch(
      new RegExp(
        `^# ${number}\\. \\S.*\\n\\n\\d{4}-\\d\\d-\\d\\d\\n\\n\\*\\*Decision\\.\\*\\* [^]+\\n\\n\\*\\*Why\\.\\*\\* [^]+\\n\\n\\*\\*Consequences\\.\\*\\* `,
      ),
    )
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES)
  })

  test('the index has a line for each record, by its title', async () => {
    const index = await readFile(new URL('README.md', FOLDER), 'utf8')
    const listed = Array.from(index.matchAll(/^- \[(.+)\]\((.+\.md)\): /gm), ([, title, name]) => [
      name,
      title,
    ])
    const titles = records.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return [name, /^# (.+)$/m.exec(text)?.[1]]
    })
    expect(listed).toEqual(await Promise.all(titles))
  })
})

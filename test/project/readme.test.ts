import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/proof/paths.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { isExecuted } from '../../scripts/readme/run.js'

const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** Which commands a page shows that `test/e2e/readme.e2e.ts` does not execute. */
async function notExecuted(path: string): Promise<string[]> {
  const commands = blocksOf(await read(path)).filter(({ language }) => language === 'sh')
  return commands.map(({ text }) => text.trim()).filter((text) => !isExecuted(text))
}

describe('the README', () => {
  test('has no other shell command than those that are executed, the two that start the service, and the secret', async () => {
    expect(await notExecuted('README.md')).toEqual(['npm ci', 'npm start -- --demo', 'export SECRET=lore_…'])
  })

  test('names only npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await read('package.json'))
    const named = Array.from((await read('README.md')).matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })
})

test.each(['story', 'trust', 'confidence', 'meaning', 'for-agents'])(
  'every command of the page %s is executed',
  async (name) => {
    expect(await notExecuted(`docs/${name}.md`)).toEqual([])
  },
)

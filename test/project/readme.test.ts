import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/proof/paths.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { PAGES } from '../../scripts/readme/pages.js'
import { isExecuted } from '../../scripts/readme/run.js'
import { readArgs } from '../../src/cli/args.js'

const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** Which commands a page shows that `test/e2e/readme.e2e.ts` does not execute. */
async function notExecuted(path: string): Promise<string[]> {
  const commands = blocksOf(await read(path)).filter(({ language }) => language === 'sh')
  return commands.map(({ text }) => text.trim()).filter((text) => !isExecuted(text))
}

/** The Markdown pages of the root and of `docs`. */
async function allPages(): Promise<string[]> {
  const [root, docs] = await Promise.all([readdir(ROOT), readdir(join(ROOT, 'docs'))])
  return [...root, ...docs.map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'))
}

describe('the README', () => {
  test('has no other shell command than those that are executed, start and test, and the secret', async () => {
    expect(await notExecuted('README.md')).toEqual([
      'npm ci && npm start -- --demo',
      'export SECRET=lore_…',
      'npm test',
    ])
  })

  test('has at most 250 lines', async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(250)
  })
})

describe('the pages', () => {
  test.each(PAGES.slice(1))('%s: every shell command is executed', async (path) => {
    expect(await notExecuted(path)).toEqual([])
  })

  test('each that shows a shell command is one of those that are executed', async () => {
    for (const path of await allPages())
      if (blocksOf(await read(path)).some(({ language }) => language === 'sh')) expect(PAGES).toContain(path)
  })

  test.each([...PAGES, 'docs/quality.md'])('%s names only npm scripts that exist', async (path) => {
    const { scripts } = JSON.parse(await read('package.json'))
    const named = (await read(path)).matchAll(/npm (?:run )?((?<=run )[\w:-]+|test|start)/g)
    for (const [, name = ''] of named) expect(Object.keys(scripts)).toContain(name)
  })

  test('CONTRIBUTING.md names the npm scripts', async () => {
    expect((await read('CONTRIBUTING.md')).match(/npm run [\w:-]+/g)?.length).toBeGreaterThan(20)
  })
})

/** The commands of ours that a page shows without executing them: in blocks for the console, and first in rows of tables. */
function shownCommands(markdown: string): string[] {
  const consoles = blocksOf(markdown).filter(({ language }) => language === 'console')
  const cells = Array.from(markdown.matchAll(/^\| (`loregraph [^|]*`) \|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, command = '']) => command),
  )
  return [...consoles.flatMap(({ text }) => text.split(/\n| \| /)), ...cells.flat()]
}

/** The words behind `loregraph` or `node dist/main.js`; undefined for commands of others. */
function argsOf(command: string): string[] | undefined {
  const [, ours] = /^(?:\w+=\S+ )*(?:loregraph|node dist\/main\.js) ([^#]+)/.exec(command) ?? []
  const words = ours?.matchAll(/"([^"]*)"|(\S+)/g)
  return words && Array.from(words, ([, quoted, bare = '']) => quoted ?? bare)
}

test.each(['README.md', 'docs/for-agents.md', 'docs/cli.md', 'docs/operations.md'])(
  '%s: every command of ours that is not executed is one that the program takes',
  async (path) => {
    const lines = shownCommands(await read(path)).map(argsOf)
    const commands = lines.filter((args) => args !== undefined)
    expect(commands.length).toBeGreaterThan(0)
    for (const args of commands) expect(readArgs(args), args.join(' ')).toMatchObject({ asks: 'command' })
  },
)

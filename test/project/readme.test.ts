import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../../scripts/proof/service.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { isExecuted, runReadme, settled } from '../../scripts/readme/run.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
let readme = ''

beforeAll(async () => {
  readme = await readFile(`${ROOT}README.md`, 'utf8')
})

describe('the README', () => {
  test('shows what its commands print', async () => {
    expect(settled(await runReadme(readme))).toBe(settled(readme))
  })

  test('has no other shell command than those it runs, the two that start the service, and the secret', () => {
    const commands = blocksOf(readme).filter(({ language }) => language === 'sh')
    const others = commands.map(({ text }) => text.trim()).filter((text) => !isExecuted(text))
    expect(others).toEqual(['npm ci', 'npm start -- --demo', 'export SECRET=lore_…'])
  })

  test('shows a client that works', async () => {
    const [example] = blocksOf(readme).filter(({ language }) => language === 'ts')
    const service = await startService()
    try {
      const code = example?.text.replaceAll('http://127.0.0.1:7400', service.url) ?? ''
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], SECRET: service.secret },
      })
      expect(stdout).toMatch(/^(high|medium): .*vitest/)
    } finally {
      await service.stop()
    }
  })

  test('names only npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'))
    const named = Array.from(readme.matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })
})

describe('the page for agents', () => {
  // On a busy machine a hook may run out of its two seconds, and then says nothing.
  const patient = { retry: 2, timeout: 120_000 }

  test('shows a session as it goes, and what the service answers', patient, async () => {
    const page = await readFile(`${ROOT}docs/for-agents.md`, 'utf8')
    expect(settled(await runReadme(page))).toBe(settled(page))
  })

  test('its executed blocks are the two that show something', async () => {
    const page = await readFile(`${ROOT}docs/for-agents.md`, 'utf8')
    const commands = blocksOf(page).filter(({ language }) => language === 'sh')
    expect(commands.map(({ text }) => isExecuted(text))).toEqual([true, true])
  })
})

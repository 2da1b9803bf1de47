import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/proof/paths.js'
import { startService } from '../../scripts/proof/service.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { PAGES } from '../../scripts/readme/pages.js'
import { keepSample, runReadme, settled } from '../../scripts/readme/run.js'

const run = promisify(execFile)
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

describe('what is written shows what its commands and programs print', () => {
  for (const path of PAGES) {
    // On a busy machine a hook may run out of its two seconds, and then says nothing.
    test(path, { retry: path === 'docs/for-agents.md' ? 2 : 0 }, async () => {
      const page = await read(path)
      expect(settled(await runReadme(page))).toBe(settled(page))
    })
  }

  test('a page that shows something else is found out', async () => {
    const page = '```python\nprint(6 * 7)\n```\n\n```text\n41\n```\n'
    expect(await runReadme(page)).toBe(page.replace('41', '42'))
  })
})

describe('the samples in TypeScript', () => {
  test('that of the tour works', async () => {
    const [example] = blocksOf(await read('docs/tour.md')).filter(({ language }) => language === 'ts')
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

  test('that of the story fits the types of the client', async () => {
    const [sample] = blocksOf(await read('docs/story.md')).filter(({ language }) => language === 'ts')
    const file = await keepSample(sample?.text ?? '')
    const options = '--ignoreConfig --noEmit --strict --module nodenext --target es2022 --types node'
    try {
      const { stdout } = await run('npx', ['tsc', ...options.split(' '), file], { cwd: ROOT }).catch(
        (error) => error,
      )
      expect(stdout).toBe('')
    } finally {
      await rm(file)
    }
  })
})

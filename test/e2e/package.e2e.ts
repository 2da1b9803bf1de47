import { execFile } from 'node:child_process'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { isBuilt, ROOT, startProgram } from '../support/program.js'

const run = promisify(execFile)

const folder = temporaryFolder()
let packed: { filename: string; size: number; files: readonly { path: string }[] }
beforeAll(async () => {
  // npm would build it now, under the feet of other tests that run the build.
  if (!isBuilt()) throw new Error('The sources have changed since the last build: npm run build')
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  })
  packed = JSON.parse(stdout)[0]
})

describe('C18: the package', () => {
  test('C18: holds what is needed to run it, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const needed of [
      'LICENSE',
      'README.md',
      'dist/main.js',
      'dist/docs/index.html',
      'dist/docs/story.html',
      'dist/docs/problems/not_found.html',
      'dist/docs/pictures/trust.svg',
      'docs/story.md',
      'docs/pictures/trust.svg',
      'dist/explorer/index.html',
      'dist/explorer/licenses.txt',
      'dist/client/index.d.ts',
      'dist/contract/openapi.json',
      'openapi/openapi.yaml',
      'model/encoder.json',
      'model/encoder.bin',
      'model/reader.json',
      'model/reader.bin',
      'model/vocab.txt',
      'model/NOTICE.md',
      'assembly/encoder.wasm',
      'assembly/scan.wasm',
      'docs/for-agents.md',
      'examples/demo.ndjson',
      'plugins/AGENTS.md',
      'plugins/claude-code/.claude-plugin/plugin.json',
      '.claude-plugin/marketplace.json',
    ])
      expect(paths).toContain(needed)
    const expected =
      /^(LICENSE|(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md|package\.json|openapi\/openapi\.yaml|model\/[\w.-]+|assembly\/\w+\.wasm|examples\/demo\.ndjson|docs\/((adr\/)?[\w-]+\.md|pictures\/\w+\.(svg|png))|plugins\/[\w./-]+\.(md|json)|\.claude-plugin\/marketplace\.json|dist\/.+\.(js|d\.ts)|dist\/contract\/openapi\.json|dist\/docs\/((problems\/)?[\w-]+\.html|(pictures\/)?\w+\.svg|style\.css)|dist\/explorer\/(index\.html|licenses\.txt|assets\/[\w.-]+-[\w-]{8}\.(js|css|svg)))$/
    expect(paths.filter((path) => !expected.test(path))).toEqual([])
    expect(paths.filter((path) => /\.map$|\.test\.|^(src|test|scripts|data)\//.test(path))).toEqual([])
    expect(packed.size).toBeLessThan(32_000_000)
  })

  test('C18: every link of a page in it leads to a file in it', async () => {
    const paths = packed.files.map(({ path }) => path)
    for (const page of paths.filter((path) => path.endsWith('.md'))) {
      const text = await readFile(join(ROOT, page), 'utf8')
      for (const [, target = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g))
        expect(paths, page).toContain(posix.join(posix.dirname(page), target))
    }
  })

  test('C18: installed in an empty folder without scripts, npx loregraph serve --demo serves docs, an insight and metrics', async () => {
    const home = temporaryFolder()
    await writeFile(join(home, 'package.json'), '{ "private": true }')
    const install = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline']
    await run('npm', ['install', ...install, join(folder, packed.filename)], { cwd: home }).catch((error) => {
      throw new Error(`npm install failed; it needs the registry or a filled cache.\n${error.stderr}`)
    })
    await expectNoPaths(join(home, 'node_modules/loregraph/dist'))

    // As a person would start it, in a folder with nothing but the package.
    const command = ['npx', '--no-install', 'loregraph']
    const options = { command, cwd: home, env: { HOME: home }, group: true }
    const service = startProgram(['serve', '--demo', '--port', '0'], options)
    onTestFinished(() => void service.stop('SIGKILL'))
    const url = await service.url
    const secret = /^ {2}(lore_\S+)$/m.exec(service.stdout.join('\n'))?.[1] ?? ''
    const docs = await fetch(`${url}/docs`)
    expect(docs.status).toBe(200)
    expect(await docs.text()).toContain('Loregraph')
    for (const page of ['story', 'problems/not_found', 'pictures/trust.svg', 'style.css'])
      expect((await fetch(`${url}/docs/${page}`)).status, page).toBe(200)
    const explorer = await fetch(`${url}/`)
    expect(explorer.status).toBe(200)
    const [script = ''] = /\/explorer\/assets\/[\w.-]+\.js/.exec(await explorer.text()) ?? []
    expect((await fetch(url + script)).status).toBe(200)
    const insight = await fetch(`${url}/v1/memories/insights`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ graph_id: 'demo', task: 'Which test runner do we use?' }),
    })
    expect(insight.status).toBe(200)
    expect(await insight.json()).toEqual({
      insight: expect.stringMatching(/./),
      recommendation: expect.stringMatching(/./),
      confidence: expect.stringMatching(/^(high|medium|low)$/),
    })
    const metrics = await fetch(`${url}/metrics`)
    const figures = await metrics.text()
    expect(figures).toContain('loregraph_http_requests_total{route="generateInsight",status="2xx"} 1')
    expect(figures).toContain('\nloregraph_meaning_waiting ')

    await service.stop()
    expect(await readdir(join(home, 'data'))).toContain('clean.1')

    await truncate(join(home, 'node_modules/loregraph/model/encoder.bin'), 1000)
    const damaged = startProgram(['serve', '--port', '0'], options)
    expect((await damaged.ended).code).toBe(78)
    expect(damaged.stderr.join('\n')).toMatch(
      /^model\/encoder\.bin has 1000 bytes .* LOREGRAPH_MEANING=off\.$/m,
    )
    const without = startProgram(['serve', '--port', '0'], {
      ...options,
      env: { ...options.env, LOREGRAPH_MEANING: 'auto' },
    })
    onTestFinished(() => void without.stop('SIGKILL'))
    expect((await fetch(`${await without.url}/readyz`)).status).toBe(200)
    await without.stop()
    expect(without.stderr.join('\n')).toContain('found by words alone')
  }, 180_000)
})

/** Nothing that was built says where. */
async function expectNoPaths(dist: string): Promise<void> {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
    expect(text.includes(ROOT) || text.includes('sourceMappingURL='), entry.name).toBe(false)
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFresh } from '../support/process.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let folder = ''
let packed: { filename: string; files: readonly { path: string }[] }
let running: ChildProcess | undefined
beforeAll(async () => {
  // npm would build it now, under the feet of other tests that run the build.
  if (!isFresh()) throw new Error('The sources have changed since the last build: npm run build')
  folder = await mkdtemp(join(tmpdir(), 'loregraph-package-'))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  })
  packed = JSON.parse(stdout)[0]
})
afterAll(async () => {
  // A group of its own: npx runs the program by way of a shell.
  if (running?.pid !== undefined && running.exitCode === null) process.kill(-running.pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe('C18: the package', () => {
  test('C18: holds what is needed to run it, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const needed of [
      'LICENSE',
      'README.md',
      'dist/main.js',
      'dist/docs/index.html',
      'dist/client/index.d.ts',
      'openapi/openapi.yaml',
      'lexicon/words.txt',
      'lexicon/vectors.bin',
      'lexicon/WORDNET-LICENSE.txt',
    ])
      expect(paths).toContain(needed)
    const expected =
      /^(LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md|package\.json|openapi\/openapi\.yaml|lexicon\/[\w.-]+|dist\/.+\.(js|d\.ts)|dist\/docs\/index\.html)$/
    expect(paths.filter((path) => !expected.test(path))).toEqual([])
    expect(paths.filter((path) => /\.map$|\.test\.|^(src|test|scripts|data)\//.test(path))).toEqual([])
  })

  test('C18: installed in an empty folder without scripts, npx loregraph serve --demo serves docs, an insight and metrics', async () => {
    const home = await mkdtemp(join(folder, 'home-'))
    await writeFile(join(home, 'package.json'), '{ "private": true }')
    const options = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline']
    await run('npm', ['install', ...options, join(folder, packed.filename)], { cwd: home }).catch((error) => {
      throw new Error(`npm install failed; it needs the registry or a filled cache.\n${error.stderr}`)
    })
    await expectNoPaths(join(home, 'node_modules/loregraph/dist'))

    const { url, secret } = await start(home)
    const docs = await fetch(`${url}/docs`)
    expect(docs.status).toBe(200)
    expect(await docs.text()).toContain('Loregraph')
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
    expect(await metrics.text()).toContain(
      'loregraph_http_requests_total{route="generateInsight",status="2xx"} 1',
    )

    if (running?.pid === undefined) throw new Error('It is not running.')
    const ended = once(running, 'close')
    process.kill(-running.pid, 'SIGTERM')
    await ended
    expect(await readdir(join(home, 'data'))).toContain('clean')
  }, 180_000)
})

/** As a person would start it, in a folder with nothing but the package. */
async function start(home: string): Promise<{ url: string; secret: string }> {
  const child = spawn('npx', ['--no-install', 'loregraph', 'serve', '--demo', '--port', '0'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  running = child
  let secret = ''
  for await (const line of createInterface({ input: child.stdout })) {
    secret ||= /^ {2}(lore_\S+)$/.exec(line)?.[1] ?? ''
    const [, url] = /^loregraph listening on (.+)$/.exec(line) ?? []
    if (url !== undefined) return { url, secret }
  }
  throw new Error('It ended before it listened.')
}

/** Nothing that was built says where. */
async function expectNoPaths(dist: string): Promise<void> {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
    expect(text.includes(ROOT) || text.includes('sourceMappingURL='), entry.name).toBe(false)
  }
}

/**
 * The official conformance suite of MCP and the inspector's command line against the built service, over HTTP.
 * `npm run test:mcp`. Both need Node 22, which `npm exec` brings. What is expected to fail is in
 * scripts/mcp/expected-failures-*.yaml, a reason a line; an entry that passes fails the run.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bearerProxy } from './mcp/bearer-proxy.js'
import { CACHE, ROOT } from './proof/paths.js'
import { writeSummary } from './proof/report.js'
import { run } from './proof/run.js'
import { startService, UNLIMITED } from './proof/service.js'

const NODE = 'node@22'
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const REVISIONS = ['2026-07-28', '2025-11-25']
/** A tool that answers with an error makes the inspector exit with 5. */
const INSPECTED = [
  ['tools/list'],
  ['tools/call', '--tool-name', 'recall', '--tool-arg', 'query=Which test runner do we use?'],
  ['prompts/list'],
  ['resources/templates/list'],
] as const

mkdirSync(CACHE, { recursive: true })
const service = await startService(UNLIMITED)
const proxy = await bearerProxy(service.url, service.secret)
const failed: string[] = []
try {
  for (const revision of REVISIONS) await step(`conformance ${revision}`, CONFORMANCE, conformance(revision))
  for (const [method, ...more] of INSPECTED)
    await step(`inspector ${method}`, INSPECTOR, inspect(method, more))
} finally {
  proxy.stop()
  await service.stop()
}
const steps = REVISIONS.length + INSPECTED.length
writeSummary('mcp', {
  passed: failed.length === 0,
  line: failed.length === 0 ? `${steps} of ${steps} steps passed` : `not passed: ${failed.join(', ')}`,
})
if (failed.length > 0) process.exitCode = 1

async function step(name: string, brought: string, command: readonly string[]): Promise<void> {
  console.log(`== ${name}`)
  const { code, output } = await run(
    'npm',
    ['exec', '--yes', `--package=${NODE}`, `--package=${brought}`, '--', ...command],
    { cwd: CACHE },
  )
  console.log(output)
  if (code !== 0) failed.push(name)
}

function conformance(revision: string): string[] {
  const to = join(CACHE, 'mcp', revision)
  const expected = join(ROOT, `scripts/mcp/expected-failures-${revision}.yaml`)
  const options = ['--requirements', revision, '--expected-failures', expected, '-o', to]
  return ['conformance', 'server', '--url', `${proxy.url}/mcp/demo`, ...options]
}

function inspect(method: string, more: readonly string[]): string[] {
  const server = [`${proxy.url}/mcp/demo`, '--transport', 'http', '--format', 'json']
  return ['mcp-inspector', '--cli', ...server, '--method', method, ...more]
}

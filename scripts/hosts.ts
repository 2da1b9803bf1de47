/**
 * Agent hosts as people install them, each in an empty home and with a stand-in for its model: connected, run with a prompt,
 * disconnected. What is checked is what they sent to the model and what is left of their files. `npm run test:hosts [-- gemini]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOSTS, type RealHost } from '../test/hosts/hosts.js'
import { installed } from '../test/hosts/install.js'
import { type Check, trial } from '../test/hosts/trial.js'
import { writeSummary } from './proof/report.js'
import { startService, UNLIMITED } from './proof/service.js'

const wanted = process.argv.slice(2)
const hosts = HOSTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const passed: string[] = []
const service = await startService(UNLIMITED)
try {
  for (const host of hosts) if (await holds(host)) passed.push(`${host.name} ${host.version}`)
} finally {
  await service.stop()
}
if (passed.length < hosts.length) process.exitCode = 1
if (wanted.length === 0)
  writeSummary('hosts', {
    passed: passed.length === HOSTS.length,
    line: `${passed.length} of ${HOSTS.length} passed: ${passed.join(', ')}`,
  })

async function holds(host: RealHost): Promise<boolean> {
  const bin = await installed(host)
  const started = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-host-'))
  let checks: readonly Check[] = []
  try {
    checks = await trial(host, bin, folder, service)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  for (const { name, passed, seen } of checks)
    console.log(`${host.name.padEnd(12)} ${name}: ${passed ? 'passed' : `FAILED\n${seen}`}`)
  if (host.lacks !== undefined) console.log(`${host.name.padEnd(12)} not checked: ${host.lacks}`)
  console.log(`${host.name.padEnd(12)} ${host.version} took ${Math.round((Date.now() - started) / 1000)} s`)
  return checks.every((one) => one.passed)
}

/**
 * Frameworks of others over MCP: each lists the tools and calls every one of them on a live service, with what is optional
 * absent, null and empty, since that is how hosts and models leave it out. A small stand-in for the model asks for the calls
 * and sees what it is given; the frameworks, what they make of our schemas and the service are real.
 * `npm run test:frameworks [-- crewai ai-sdk]`, or `npm run test:frameworks:all` for those that are run less often, too.
 */
import { overHttp } from '../test/support/mcp.js'
import { type Case, casesOf, FORMS, RECORDED } from './frameworks/cases.js'
import { isCalled, type Seen, startModel } from './frameworks/model.js'
import { FRAMEWORKS, type Framework } from './proof/frameworks.js'
import { writeSummary } from './proof/report.js'
import { hasCommand } from './proof/run.js'
import { startService, UNLIMITED } from './proof/service.js'

const AT_ONCE = 2
const MAX_SHOWN = 500
/** In a result that is given to the model as JSON. */
const EMPTY = /"text":\s*""/

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const chosen = FRAMEWORKS.filter(({ name, isNightly }) =>
  named.length > 0 ? named.includes(name) : args.includes('--all') || !isNightly,
)
const passed = new Set<string>()
const service = await startService(UNLIMITED)
const MCP_URL = `${service.url}/mcp/demo?erase=true`
const cases = await prepared()
const tools = [...new Set(cases.map(({ tool }) => tool))]
const model = await startModel(cases)
try {
  const queue = [...chosen]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let it = queue.shift(); it !== undefined; it = queue.shift()) await test(it)
    }),
  )
} finally {
  model.stop()
  await service.stop()
}
const names = chosen.map(({ name }) => name).filter((name) => passed.has(name))
if (names.length < chosen.length) process.exitCode = 1
if (named.length === 0)
  writeSummary(args.includes('--all') ? 'frameworks-all' : 'frameworks', {
    passed: names.length === chosen.length,
    line: `${names.length} of ${chosen.length} passed, ${cases.length} calls each: ${names.join(', ')}`,
  })

/** The calls, with a memory for those that need one. */
async function prepared(): Promise<readonly Case[]> {
  const host = await overHttp(MCP_URL, service.secret)
  const { text } = await host.call('record', { text: RECORDED, context_id: 'fact:frameworks' })
  const tools = await host.tools()
  await host.close()
  return casesOf(tools, /mem_\w+/.exec(text)?.[0] ?? '')
}

async function test(framework: Framework): Promise<void> {
  const { name, version } = framework
  const started = performance.now()
  const failure = await tried(framework)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const seen = model.seenBy(name)
  const verdicts = cases.map((it, number) => ({ ...it, wrong: wrongIn(it, seen.get(number), tools) }))
  const isPassed = failure === undefined && verdicts.every(({ wrong }) => wrong === undefined)
  if (isPassed) passed.add(name)
  console.log(`${name} ${version}: ${isPassed ? 'passed' : 'FAILED'} (${seconds} s)`)
  for (const tool of seen.size === 0 ? [] : tools) {
    const wrong = verdicts.filter((it) => it.tool === tool && it.wrong !== undefined)
    console.log(`  ${tool.padEnd(8)} ${wrong.length === 0 ? `passed ${FORMS.join(', ')}` : 'FAILED'}`)
    for (const it of wrong) console.log(`    ${it.form}: ${it.wrong}`)
  }
  if (failure !== undefined) console.log(failure)
}

/** What went wrong before any call could. */
async function tried({ name, needs, install, run }: Framework): Promise<string | undefined> {
  for (const [command, probe] of needs)
    if (!(await hasCommand(command, probe))) return `NOT RUN, there is no ${command} here`
  try {
    await install()
    const MODEL_URL = `${model.url}/${name}`
    await run({ MCP_URL, MODEL_URL, SECRET: service.secret, CASES: String(cases.length) })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What is wrong with what a model saw of a case; undefined if nothing is. */
function wrongIn({ answer }: Case, seen: Seen | undefined, listed: readonly string[]): string | undefined {
  if (seen === undefined) return 'the model was not asked'
  if (seen.refused !== undefined) return seen.refused
  const missing = listed.filter((it) => !seen.tools.some((name) => isCalled(name, it)))
  if (missing.length > 0) return `not listed: ${missing.join(', ')}; but ${seen.tools.join(', ')}`
  const { result } = seen
  if (result === undefined) return 'the model was shown no result'
  if (result === '' || EMPTY.test(result)) return `an empty text block: ${result.slice(0, MAX_SHOWN)}`
  if (!answer.test(result)) return `not as expected: ${result.slice(0, MAX_SHOWN)}`
  return undefined
}

import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, ROOT } from './paths.js'
import { mustRun } from './run.js'
import { pythonWith } from './tools.js'

export interface Framework {
  readonly name: string
  readonly version: string
  /** Whether it is only run where all are asked for. */
  readonly isNightly: boolean
  readonly needs: readonly (readonly [command: string, probe: string])[]
  /** Brings what it needs, on first use. */
  install(): Promise<void>
  /** Calls the model that is given to it once for each case. */
  run(env: Readonly<Record<string, string>>): Promise<void>
}

const UV = 'uv==0.13.8'
/** What the packages below need is of this day, too. */
const NO_LATER_THAN = '2026-11-15'
const SOURCES = join(ROOT, 'test/frameworks')
const INSTALLED = join(CACHE, 'frameworks')

/** Each in an environment of its own: they do not agree on the versions of what they share. */
function python(name: string, program: string, packages: readonly string[], isNightly = false): Framework {
  const folder = join(INSTALLED, name)
  const interpreter = join(folder, 'bin/python')
  return {
    ...{ name, version: versionOf(packages[0]), isNightly, needs: [['python3', '--version']] },
    async install() {
      await once(folder, packages, async () => {
        const command = join(await bringUv(), 'uv')
        const env = { UV_CACHE_DIR: join(CACHE, 'uv'), UV_PYTHON_DOWNLOADS: 'never' }
        await mustRun(command, ['venv', '--quiet', '--clear', '--python', 'python3', folder], { env })
        const args = ['pip', 'install', '--quiet', '--python', interpreter, '--exclude-newer', NO_LATER_THAN]
        await mustRun(command, [...args, ...packages], { env })
      })
    },
    async run(env) {
      const args = ['-X', `pycache_prefix=${join(folder, 'compiled')}`, join(SOURCES, 'python', program)]
      await mustRun(interpreter, args, {
        // What is compiled is kept, here and not beside the sources: the second run starts in half the time.
        env: { ...QUIET, ...env, HOME: folder, PYTHONDONTWRITEBYTECODE: '' },
      })
    },
  }
}

let uv: Promise<string> | undefined

/** Once for all, who ask at the same time. */
function bringUv(): Promise<string> {
  uv ??= pythonWith([UV])
  return uv
}

/** On Node 22, which they need. */
function node(name: string, program: string, packages: readonly string[], isNightly = false): Framework {
  const folder = join(INSTALLED, name)
  return {
    ...{ name, version: versionOf(packages[0]), isNightly, needs: [] },
    async install() {
      await once(folder, packages, async () => {
        await mkdir(folder)
        const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
        await mustRun('npm', [...args, NODE, ...packages])
      })
    },
    async run(env) {
      const copy = join(folder, program)
      await cp(join(SOURCES, 'typescript', program), copy)
      await mustRun(join(folder, 'node_modules/.bin/node'), [copy], {
        env: { ...QUIET, ...env, HOME: folder },
      })
    },
  }
}

const NODE = 'node@22.23.3'

/** What calls the SDK as a program of its own. */
function go(name: string, version: string): Framework {
  const program = join(INSTALLED, `${name}-${version}`)
  const cwd = join(SOURCES, 'go')
  return {
    ...{ name, version, isNightly: true, needs: [['go', 'version']] },
    async install() {
      await mustRun('go', ['build', '-mod=readonly', '-o', program, '.'], { cwd })
    },
    async run(env) {
      await mustRun(program, [], { env })
    },
  }
}

/** They tell their makers who uses them, unless asked not to. */
const QUIET = {
  ...{ CREWAI_DISABLE_TELEMETRY: 'true', CREWAI_TRACING_ENABLED: 'false', OTEL_SDK_DISABLED: 'true' },
  ...{ MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' },
}

export const FRAMEWORKS: readonly Framework[] = [
  python('crewai', 'crew.py', ['crewai-tools[mcp]==1.15.30']),
  python('langchain', 'langchain_strict.py', ['langchain-mcp-adapters==0.3.2', 'langchain-openai==1.7.2']),
  python('google-genai', 'google_genai.py', ['google-genai==3.3.0', 'mcp==2.3.0']),
  python('openai-agents', 'openai_agents.py', ['openai-agents==0.24.0']),
  node('ai-sdk', 'ai-sdk.mjs', ['ai@7.0.173', '@ai-sdk/mcp@2.0.99', '@ai-sdk/openai@4.0.118']),
  python('pydantic-ai', 'pydantic_agents.py', ['pydantic-ai-slim[mcp,openai]==2.68.0']),
  python(
    'llama-index',
    'llama_index_tools.py',
    ['llama-index-tools-mcp==0.6.0', 'llama-index-llms-openai-like==0.8.1'],
    true,
  ),
  node('mastra', 'mastra.mjs', ['@mastra/mcp@2.0.0', '@mastra/core@1.71.0', '@ai-sdk/openai@4.0.118'], true),
  go('go-sdk', 'v1.8.0'),
]

/** Makes the folder unless it was made of just these packages. */
async function once(folder: string, packages: readonly string[], make: () => Promise<void>): Promise<void> {
  // Written last, so that an installation that was broken off is done again.
  const done = join(folder, `done-${packages.join('-').replace(/[^\w.-]/g, '-')}`)
  if (existsSync(done)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(INSTALLED, { recursive: true })
  await make()
  await writeFile(done, '')
}

function versionOf(first = ''): string {
  return first.slice(first.lastIndexOf(first.includes('==') ? '=' : '@') + 1)
}

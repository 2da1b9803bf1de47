import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, ROOT } from '../proof/paths.js'
import { startService } from '../proof/service.js'
import { type Block, blocksOf, replaceBlocks } from './blocks.js'

const ADDRESS = 'http://127.0.0.1:7400'

/** Executes the blocks in order against a service of their own; answers with the page as it should be. */
export async function runReadme(markdown: string): Promise<string> {
  const blocks = blocksOf(markdown)
  if (blocks.every((block, i) => runnerOf(block, blocks[i + 1]) === undefined)) return markdown
  const service = await startService()
  try {
    await warmUp(service)
    const outputs = new Map<Block, string>()
    for (const [i, block] of blocks.entries()) {
      const shown = blocks[i + 1]
      const run = runnerOf(block, shown)
      if (run === undefined) continue
      const printed = await run(block.text.replaceAll(ADDRESS, service.url), service.secret)
      // What looks like a secret sets off those who look for secrets.
      if (shown?.language === 'json') outputs.set(shown, pretty(printed).replace(/lore_[\w-]{48}/g, 'lore_…'))
      else if (shown?.language === 'text') outputs.set(shown, printed.trimEnd())
      else throw new Error(`No output is shown for: ${block.text}`)
    }
    return replaceBlocks(markdown, outputs)
  } finally {
    await service.stop()
  }
}

/** The first question loads the models, for which a hook, that answers within two seconds, does not wait. */
async function warmUp({ url, secret }: { readonly url: string; readonly secret: string }): Promise<void> {
  await fetch(`${url}/v1/memories/insights`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ graph_id: 'demo', task: 'Is anything known?' }),
  })
}

type Run = (code: string, secret: string) => Promise<string>

/** A program is executed where the page shows what it prints. */
function runnerOf({ language, text }: Block, shown: Block | undefined): Run | undefined {
  if (language === 'sh') return isExecuted(text) ? shell : undefined
  return shown?.language === 'text' ? PROGRAMS[language] : undefined
}

const shell: Run = (command, secret) => execute('bash', ['-euc', command], secret)

const PROGRAMS: Readonly<Record<string, Run>> = {
  python: (program, secret) => execute('python3', ['-c', program], secret),
  async ts(program, secret) {
    const file = await keepSample(program)
    try {
      return await execute(process.execPath, ['--import', 'tsx', file], secret)
    } finally {
      await rm(file)
    }
  },
}

/** Writes a TypeScript program where it finds the package by its name. */
export async function keepSample(program: string): Promise<string> {
  const file = join(CACHE, `sample-${randomUUID()}.ts`)
  await mkdir(CACHE, { recursive: true })
  await writeFile(file, program)
  return file
}

/** Commands that ask the service; the others start it. */
export function isExecuted(command: string): boolean {
  return command.startsWith('curl ') || command.includes('node dist/main.js ')
}

/** A text with everything that differs from run to run replaced: ids and times of recording. */
export function settled(text: string): string {
  return text
    .replace(/(mem|key)_[0-9A-Z]{26}/g, '$1_…')
    .replace(/("(?:updated|created|recorded)_at"|"(?:first|last)_seen"): "[^"]*"/g, '$1: "…"')
    .replace(/recorded \d{4}-\d\d-\d\d/g, 'recorded …')
    .replace(/(by an? \w+) on \d{1,2} \w+ \d{4}/g, '$1 on …')
}

function execute(command: string, args: readonly string[], secret: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, SECRET: secret }
    execFile(command, args, { cwd: ROOT, env }, (error, stdout) => {
      if (error === null) resolve(stdout)
      else reject(error)
    })
  })
}

/** JSON as a person would lay it out: small objects on one line. */
function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replace(/\{[^{}[\]]{1,140}\}/g, (small) =>
    small.length <= 160 ? small.replace(/\s*\n\s*/g, ' ') : small,
  )
}

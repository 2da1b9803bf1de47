import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUILT = join(ROOT, 'dist/main.js')
/** What was built, which starts much sooner, unless the sources have changed since. */
export const PROGRAM: readonly string[] = isFresh() ? [BUILT] : ['--import', 'tsx', join(ROOT, 'src/main.ts')]

export interface Service {
  readonly child: ChildProcess
  /** Where it listens; rejects when it ends without listening. */
  readonly url: Promise<string>
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; ms: number }>
  /** The lines it wrote so far, for people and for the log. */
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
}

/** The service as a process of its own, with exactly this environment and these arguments. */
export function startService(env: Readonly<Record<string, string>>, ...args: readonly string[]): Service {
  const started = performance.now()
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = linesOf(child.stdout)
  const stderr = linesOf(child.stderr)
  const ended = once(child, 'close').then(([code]) => ({ code, ms: performance.now() - started }))
  const url = new Promise<string>((resolve, reject) => {
    const look = () => {
      const line = stdout.find((it) => it.startsWith('loregraph listening on '))
      if (line !== undefined) resolve(line.slice('loregraph listening on '.length))
    }
    child.stdout.on('data', () => setImmediate(look))
    ended.then(() => reject(new Error(`it ended: ${stderr.join('\n')}`)))
  })
  url.catch(() => {})
  return { child, url, ended, stdout, stderr }
}

function linesOf(stream: NodeJS.ReadableStream): string[] {
  const lines: string[] = []
  createInterface({ input: stream }).on('line', (line) => lines.push(line))
  return lines
}

export function isFresh(): boolean {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(join(ROOT, 'src', file)).mtimeMs <= built,
  )
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUILT = join(ROOT, 'dist/main.js')
const LISTENING = /^(?:loregraph )?listening on (\S+)$/

export interface ProgramOptions {
  /** The whole environment, beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Options of node itself, e.g. `--max-old-space-size=600`. */
  readonly node?: readonly string[]
  /** A command that runs the program, e.g. strace with its options. */
  readonly wrapper?: readonly string[]
  /** The build starts sooner; unless given, it is taken if no source has changed since. */
  readonly from?: 'build' | 'source'
  /** Another command in place of the program, e.g. `['npx', 'loregraph']`. */
  readonly command?: readonly string[]
  /** In a process group of its own, which `stop` signals as a whole: for a command that starts the program itself. */
  readonly group?: boolean
  /** What it says on stderr is also shown on ours. */
  readonly showErrors?: boolean
}

export interface Ended {
  readonly code: number | null
  /** From its start to its end. */
  readonly ms: number
}

export interface Program {
  readonly child: ChildProcess
  /** Where it listens; rejects when it ends without listening. */
  readonly url: Promise<string>
  readonly ended: Promise<Ended>
  /** The lines written so far. */
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** Both, in the order of their arrival. */
  readonly lines: readonly string[]
  /** Signals it unless it has ended, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/**
 * The program as a process of its own, with exactly these arguments and this environment.
 *
 *     const service = startProgram(['serve', '--port', '0', '--data', folder])
 *     await fetch(`${await service.url}/health`)
 *     await service.stop()
 */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): Program {
  const { env, cwd, group = false } = options
  const started = performance.now()
  const inner = options.command ?? commandOf(options.from, options.node)
  const [command = '', ...rest] = [...(options.wrapper ?? []), ...inner, ...args]
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
  })
  if (options.showErrors === true) child.stderr.pipe(process.stderr)
  const [stdout, stderr, lines] = [[], [], []] as [string[], string[], string[]]
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ms: performance.now() - started }))
  const url = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      stdout.push(line)
      lines.push(line)
      const at = LISTENING.exec(line)?.[1]
      if (at !== undefined) resolve(at)
    })
    createInterface({ input: child.stderr }).on('line', (line) => {
      stderr.push(line)
      lines.push(line)
    })
    ended.then(() => reject(new Error(`It ended before it listened: ${lines.join('\n')}`)), reject)
  })
  url.catch(() => undefined)
  return {
    child,
    url,
    ended,
    stdout,
    stderr,
    lines,
    stop(signal = 'SIGTERM') {
      const runs = child.exitCode === null && child.signalCode === null
      if (runs && child.pid !== undefined) process.kill(group ? -child.pid : child.pid, signal)
      return ended
    },
  }
}

/** The command that runs the program. */
export function commandOf(
  from: 'build' | 'source' = isBuilt() ? 'build' : 'source',
  node: readonly string[] = [],
): readonly string[] {
  const main = from === 'build' ? [BUILT] : ['--import', 'tsx', join(ROOT, 'src/main.ts')]
  return [process.execPath, ...node, ...main]
}

/** No source has changed since the last build. */
export function isBuilt(): boolean {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(join(ROOT, 'src', file)).mtimeMs <= built,
  )
}

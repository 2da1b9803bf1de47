import { spawn } from 'node:child_process'

export interface Ran {
  readonly code: number
  readonly output: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Called with what the command prints, as it prints it. */
  readonly onOutput?: (chunk: string) => void
}

/** Runs a command and gives everything that it printed. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      output += chunk
      options.onOutput?.(chunk)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 1, output: signal ? `${output}\n${signal}` : output }),
    )
  })
}

/** The same, for a command that must succeed. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, output } = await run(command, args, options)
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** Whether this machine has the command. */
export async function hasCommand(command: string, probe = '--version'): Promise<boolean> {
  try {
    return (await run(command, [probe])).code === 0
  } catch {
    return false
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandOf } from './program.js'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  readonly cwd?: string
}

/** Runs the program to its end, with nothing in the environment but what is given. */
export async function command(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const [program = '', ...first] = commandOf()
  const child = spawn(program, [...first, ...args], {
    env: { PATH: process.env['PATH'], ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that refuses at once does not read what it is sent.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

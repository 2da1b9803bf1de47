import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { hook } from '../../src/cli/agents/hook.js'
import { readArgs } from '../../src/cli/args.js'
import { run } from '../../src/cli/run.js'
import { commandOf } from './program.js'

/** What runs the program from here. */
export const PROGRAM = commandOf()

export interface Outcome {
  readonly error: { readonly message: string; readonly exitCode?: number } | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A command for agents as the program runs it, in this process. */
export async function agentCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<Outcome> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(input)
  const terminal = { stdin, stdout, stderr, columns: 200, coloured: false, watched: false }
  const ports = { now: () => new Date(), randomBytes, pid: process.pid, program: PROGRAM, terminal, env }
  const work = async () => {
    const asked = readArgs(args)
    if (asked.asks !== 'command') throw new Error('No command.')
    const { command, values, operands } = asked
    if (command === 'hook') return hook(operands, values, ports)
    return run(command as Parameters<typeof run>[0], values, operands, ports)
  }
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason as { exitCode?: number; message: string },
  )
  stdout.end()
  stderr.end()
  return { error, stdout: await text(stdout), stderr: await text(stderr) }
}

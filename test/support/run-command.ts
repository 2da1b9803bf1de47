import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readArgs } from '../../src/cli/args.js'
import { run } from '../../src/cli/run.js'

export interface Ran {
  readonly error: { exitCode?: number; code?: string; message: string } | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A command as the program runs it, in this process; nothing is read for meaning unless the environment says so. */
export async function runCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  columns = 80,
): Promise<Ran> {
  const asked = readArgs(args)
  if (asked.asks !== 'command') throw new Error('No command.')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const terminal = { stdin, stdout, stderr, columns, coloured: false, watched: false }
  const ports = { now: () => new Date(), randomBytes, pid: process.pid, program: [], terminal }
  const command = asked.command as Parameters<typeof run>[0]
  const all = { LOREGRAPH_MEANING: 'off', ...env }
  // Read while it is written: what nobody reads would make the command wait.
  const printed = Promise.all([text(stdout), text(stderr)])
  const error = await run(command, asked.values, asked.operands, { ...ports, env: all }).then(
    () => undefined,
    (reason: unknown) => reason as Ran['error'],
  )
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { error, stdout: out, stderr: err }
}

import { connect } from './agents/connect.js'
import { disconnect } from './agents/disconnect.js'
import { USUAL_URL } from './agents/places.js'
import { around } from './commands/around.js'
import { brief } from './commands/brief.js'
import { demo } from './commands/demo.js'
import { evaluate } from './commands/eval.js'
import { exportGraph } from './commands/export.js'
import { history } from './commands/history.js'
import { importGraph } from './commands/import.js'
import { insight } from './commands/insight.js'
import type { CommandPorts, Prepare } from './commands/job.js'
import { createKey, listKeys, revokeKey } from './commands/key.js'
import { status } from './commands/status.js'
import { disputes, stale } from './commands/upkeep.js'
import type { CommandName } from './parse/commands.js'
import type { Values } from './parse/options.js'
import { remoteApi } from './target/remote.js'
import { readSecretFile, readTarget } from './target/target.js'

/** The commands that work on the data folder and on a running service alike. */
type EitherCommand = Exclude<CommandName, 'serve' | 'mcp' | 'verify' | 'repair' | 'hook'>

interface Run {
  readonly prepare: Prepare
  /** Whether the command may begin with a data folder that is not there. */
  readonly make: boolean
  /** Whether it changes what is recorded. */
  readonly changes?: boolean
  /** Whether it asks a question, which is read for meaning, or tells what is unread. */
  readonly asks?: (values: Values) => boolean
  /** Whether it asks a service only, the usual one if none is named. */
  readonly isForService?: boolean
}

const COMMANDS: Readonly<Record<EitherCommand, Run>> = {
  'key create': { prepare: createKey, make: true, changes: true },
  'key list': { prepare: listKeys, make: false },
  'key revoke': { prepare: revokeKey, make: false, changes: true },
  import: { prepare: importGraph, make: true, changes: true },
  export: { prepare: exportGraph, make: false },
  insight: { prepare: insight, make: false, asks: () => true },
  eval: { prepare: evaluate, make: false, asks: () => true },
  brief: { prepare: brief, make: false, asks: ({ task }) => task !== undefined },
  status: { prepare: status, make: false, asks: () => true },
  disputes: { prepare: disputes, make: false },
  stale: { prepare: stale, make: false },
  history: { prepare: history, make: false },
  around: { prepare: around, make: false },
  demo: { prepare: demo, make: true, changes: true },
  connect: { prepare: connect, make: false, isForService: true },
  disconnect: { prepare: disconnect, make: false, isForService: true },
}

/** Checks, opens, does it, closes. */
export async function run(
  command: EitherCommand,
  values: Values,
  operands: readonly string[],
  around: CommandPorts,
): Promise<void> {
  const { env, terminal } = around
  const { prepare, make, changes = false, asks = () => false, isForService = false } = COMMANDS[command]
  const place = isForService ? { ...values, url: values.url ?? env['LOREGRAPH_URL'] ?? USUAL_URL } : values
  const target = await readTarget(env, place, readSecretFile)
  const print = (line: string) => void terminal.stdout.write(`${line}\n`)
  const note = (line: string) => void terminal.stderr.write(`${line}\n`)
  const work = prepare({ ...around, values, operands, target, print, note })
  const open = async () => {
    if (target.kind === 'service') return remoteApi(target.url, target.secret)
    // Stores and engine are half of what a command takes, and one that asks a service needs neither.
    const { localApi } = await import('./target/local.js')
    return localApi({ ...around, place: target, make, changes, asks: asks(values), note })
  }
  const api = await open()
  try {
    await work(api)
  } finally {
    await api.close()
  }
}

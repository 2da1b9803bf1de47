import { demo } from './commands/demo.js'
import { checkGraph, exportGraph } from './commands/export.js'
import { importGraph, readWanted } from './commands/import.js'
import { insight, readQuestion } from './commands/insight.js'
import type { CommandPorts, Job } from './commands/job.js'
import { checkKeyId, createKey, listKeys, readKeyRequest, revokeKey } from './commands/key.js'
import type { CommandName } from './parse/commands.js'
import type { Values } from './parse/options.js'
import type { Api } from './target/api.js'
import { localApi } from './target/local.js'
import { remoteApi } from './target/remote.js'
import { readSecretFile, readTarget } from './target/target.js'

/** The commands that work on the data folder and on a running service alike. */
export type EitherCommand = Exclude<CommandName, 'serve' | 'verify' | 'repair' | 'backup drop'>

interface Work {
  /** Throws when something on the command line is wrong: before a folder is opened or a service asked. */
  prepare(job: Job): (loregraph: Api) => Promise<void>
  /** Whether it may begin with a data folder that is not there. */
  readonly make?: true
}

const WORK: Readonly<Record<EitherCommand, Work>> = {
  'key create': {
    prepare(job) {
      const request = readKeyRequest(job.values, job.now())
      return (loregraph) => createKey(loregraph, request, job)
    },
    make: true,
  },
  'key list': { prepare: (job) => (loregraph) => listKeys(loregraph, job) },
  'key revoke': {
    prepare(job) {
      checkKeyId(job.operands)
      return (loregraph) => revokeKey(loregraph, job)
    },
  },
  import: {
    prepare(job) {
      const wanted = readWanted(job.operands, job.values)
      return (loregraph) => importGraph(loregraph, wanted, job)
    },
    make: true,
  },
  export: {
    prepare(job) {
      checkGraph('export', job.operands)
      return (loregraph) => exportGraph(loregraph, job)
    },
  },
  insight: {
    prepare(job) {
      const question = readQuestion(job.operands, job.values)
      return (loregraph) => insight(loregraph, question, job)
    },
  },
  demo: { prepare: (job) => (loregraph) => demo(loregraph, job), make: true },
}

/** Checks, opens, does it, closes. */
export async function run(
  command: EitherCommand,
  values: Values,
  operands: readonly string[],
  around: CommandPorts,
): Promise<void> {
  const { env, terminal } = around
  const { prepare, make = false } = WORK[command]
  const target = await readTarget(env, values, readSecretFile)
  const print = (line: string) => void terminal.stdout.write(`${line}\n`)
  const note = (line: string) => void terminal.stderr.write(`${line}\n`)
  const work = prepare({ ...around, values, operands, target, print, note })
  const loregraph =
    target.kind === 'service'
      ? remoteApi(target.url, target.secret)
      : await localApi({ ...around, place: target, make, note })
  try {
    await work(loregraph)
  } finally {
    await loregraph.close()
  }
}

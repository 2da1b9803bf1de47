import { Failure } from '../domain/failure.js'
import type { CommandPorts } from './commands/job.js'
import { COMMANDS, type Command, type CommandName } from './commands.js'
import { EXITS, exitCodeOf, usage } from './output/exits.js'
import { OPTIONS, type Option, type Values } from './parse/options.js'
import { Refusal } from './target/api.js'
import { readService, readTarget } from './target/target.js'

/** Runs a command; resolves to the code to exit with. */
export async function run(
  name: CommandName,
  values: Values,
  operands: readonly string[],
  ports: CommandPorts,
): Promise<number> {
  const { env, terminal } = ports
  const print = (line: string) => void terminal.stdout.write(`${line}\n`)
  const note = (line: string) => void terminal.stderr.write(`${line}\n`)
  const job = { ...ports, values, operands, print, note }
  const command: Command | undefined = COMMANDS.find((one) => one.name === name)
  if (command?.run === undefined) throw new Error(`${name} is not run here.`)
  if (command.access === undefined) return command.run(job)
  const { access, isForService = false } = command
  const target = await (isForService ? readService(env, values) : readTarget(env, values))
  const open = async () => {
    if (target.kind === 'service') return (await import('./target/remote.js')).remoteApi(target)
    // Stores and engine are half of what a command takes, and one that asks a service needs neither.
    const { localApi } = await import('./target/local.js')
    return localApi({ ...job, place: target, access: typeof access === 'string' ? access : access(values) })
  }
  const api = await open()
  try {
    await command.run({ ...job, api, ...(target.kind === 'service' && { url: target.url }) })
    return EXITS.fine.code
  } catch (error) {
    throw toUsageError(command, error) ?? error
  } finally {
    await api.close()
  }
}

/** What was refused, as mistakes in the command line; undefined if something else was refused. */
function toUsageError(command: Command, error: unknown): Error | undefined {
  if (!(error instanceof Failure || error instanceof Refusal)) return undefined
  if (exitCodeOf(error) !== EXITS.data.code) return undefined
  const mistakes = error.errors.flatMap(({ path, message }) => {
    const given = givenAs(command, path)
    if (given === undefined) return []
    // Some are whole sentences already.
    return /^[A-Z]/.test(message) ? message : `${given} ${message}.`
  })
  return mistakes.length > 0 && mistakes.length === error.errors.length
    ? usage([...new Set(mistakes)], command.name, { cause: error })
    : undefined
}

/** The operand or option that gave a field of a request, such as `--graph` for `/body/graphs/0`. */
function givenAs({ operands = [], options }: Command, path: string): string | undefined {
  const [field = ''] = path.split('/').filter((step) => !['', 'path', 'query', 'body'].includes(step))
  const gave = (word?: string) => word === field || word === field.replace(/(_id|_at|_type|s)$/, '')
  const operand = operands.find((one) => gave(one.replace(/[[\]]/g, '')))
  if (operand !== undefined) return `The ${operand.replace(/[[\]]/g, '')}`
  const option = options.find((one) => {
    const { value }: Option = OPTIONS[one]
    return gave(one.replaceAll('-', '_')) || gave(value)
  })
  return option && `--${option}`
}

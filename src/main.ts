#!/usr/bin/env node

/** The only file that touches the process. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { EXITS, exitCodeOf } from './cli/output/exits.js'
import { explainError } from './cli/output/explain-error.js'
import type { Terminal } from './cli/output/terminal.js'
import { readArgs } from './cli/parse/args.js'
import { helpFor } from './cli/parse/help.js'
import { readFolder } from './cli/target/target.js'
import { type Config, readConfig } from './config/config.js'
import { errorCode } from './domain/failure.js'

const { env, pid } = process
const now = () => new Date()
/** Longer than requests and files can take to be done with. */
const LONGEST_STOP_MS = 60_000
const ORPHAN_CHECK_MS = 1_000

// A reader that closes our output, as `head` does, has all that it wanted.
process.stdout.on('error', unlessClosed)
process.stderr.on('error', unlessClosed)
process.exitCode = await main()

async function main(): Promise<number> {
  try {
    // Files are for their owner alone, whatever the shell says.
    process.umask(0o077)
    const asked = readArgs(process.argv.slice(2))
    switch (asked.asks) {
      case 'help':
        print(helpFor(asked.about))
        return EXITS.fine.code
      case 'version':
        print(`loregraph ${await version()}`)
        return EXITS.fine.code
    }
    const { command, values, operands } = asked
    // Each is loaded when it is asked for: stores and engine are most of the program, and a hook has no time for them.
    switch (command) {
      case 'serve':
        return await runService(readConfig(env, values))
      case 'mcp': {
        const { mcp } = await import('./cli/agents/mcp.js')
        await mcp(values, { env, terminal: terminal(), orphaned: orphaned() })
        return EXITS.fine.code
      }
      case 'verify': {
        const { verify } = await import('./cli/commands/verify.js')
        return await verify(readFolder(env, values), print)
      }
      case 'repair': {
        const { repair } = await import('./cli/commands/repair.js')
        return await repair(readFolder(env, values), { truncate: values.truncate ?? false, pid }, print)
      }
      case 'backup drop': {
        const { dropBackupOf } = await import('./cli/commands/backup.js')
        return await dropBackupOf(readFolder(env, values), print)
      }
      case 'hook': {
        const { hook } = await import('./cli/agents/hook.js')
        await hook(operands, values, { env, terminal: terminal(), now, randomBytes, pid })
        return EXITS.fine.code
      }
      default: {
        const { run } = await import('./cli/run.js')
        await run(command, values, operands, { env, terminal: terminal(), now, randomBytes, pid })
        return EXITS.fine.code
      }
    }
  } catch (error) {
    if (isClosed(error)) return EXITS.fine.code
    const isHook = process.argv[2] === 'hook'
    const told = explainError(error)
    process.stderr.write(`${isHook ? told.replaceAll('\n', ' ') : told}\n`)
    // A host may drop the prompt of a person when its hook fails.
    return isHook ? EXITS.fine.code : exitCodeOf(error)
  }
}

async function runService(config: Config): Promise<number> {
  // The service is most of the program, and of the time that the program takes to load; only this command needs it.
  const [{ pino }, { serve }] = await Promise.all([import('pino'), import('./service/serve.js')])
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      formatters: { level: (level) => ({ level }) },
    },
    // Lines are gathered for a moment under load; what is left is written when the process ends.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  )
  // Node.js would print them as plain lines, and each line of the log is one JSON object.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Warning.'))
  // An uncaught exception may have left anything half done: end, and let the next start recover.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Uncaught exception.')
    process.exit(EXITS.failed.code)
  })
  const stop = stopSignal()
  let deadline: NodeJS.Timeout | undefined
  // Also keeps the process alive until everything is closed, whatever that waits for.
  void stop.then(() => {
    deadline = setTimeout(() => {
      log.fatal({}, 'Stopping took too long; ended as it was.')
      process.exit(EXITS.failed.code)
    }, LONGEST_STOP_MS)
  })
  try {
    return await serve(config, { log, print, now, randomBytes, pid, stop })
  } finally {
    clearTimeout(deadline)
  }
}

function terminal(): Terminal {
  const { stdin, stdout, stderr } = process
  return {
    stdin,
    stdout,
    stderr,
    // Some terminals do not know how wide they are, and say 0.
    columns: stdout.isTTY ? Math.min(stdout.columns || 80, 100) : 80,
    coloured: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    watched: stderr.isTTY,
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function version(): Promise<string> {
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version
}

/** The first signal asks, the second one insists. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (asked) process.exit(EXITS.failed.code)
        asked = true
        resolve()
      })
  })
}

/** Resolves when the parent is another one than at the start: the first has ended. */
function orphaned(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, ORPHAN_CHECK_MS).unref()
  })
}

function isClosed(error: unknown): boolean {
  return errorCode(error) === 'EPIPE'
}

function unlessClosed(error: Error): void {
  if (!isClosed(error)) throw error
}

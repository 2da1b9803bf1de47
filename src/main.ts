#!/usr/bin/env node

/** The only file that touches the process. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isForHook, readArgs } from './cli/args.js'
import { EXITS, exitCodeOf, Stop } from './cli/output/exits.js'
import { explainError } from './cli/output/explain-error.js'
import { show } from './cli/output/show.js'
import type { Terminal } from './cli/output/terminal.js'
import { type Config, readConfig } from './config/config.js'
import { errorCode } from './domain/failure.js'

const { env, pid } = process
const args = process.argv.slice(2)
const now = () => new Date()
const program = [process.execPath, fileURLToPath(import.meta.url)]
/** Longer than requests and files can take to be done with. */
const LONGEST_STOP_MS = 60_000
const ORPHAN_CHECK_MS = 1_000
/** How long a service that has stopped waits for its last lines to be written. */
const LAST_LINES_MS = 1_000

/** What went wrong with stdout. */
let unwritten: Error | undefined
process.stdout.on('error', (error) => {
  unwritten ??= error
})
// What is said beside a result is lost with stderr; the result is not.
process.stderr.on('error', () => {})
process.exitCode = await main()

async function main(): Promise<number> {
  const isHook = isForHook(args)
  try {
    return await runCommand()
  } catch (thrown) {
    // A reader that closes our output, as `head` does, has all that it wanted.
    if (thrown === unwritten && errorCode(thrown) === 'EPIPE') return EXITS.fine.code
    const error = thrown === unwritten ? notWritten(thrown) : thrown
    const told = explainError(error)
    process.stderr.write(`${isHook ? told.replaceAll('\n', ' ') : told}\n`)
    // A host may drop the prompt of a person when its hook fails.
    return isHook ? EXITS.fine.code : exitCodeOf(error)
  }
}

async function runCommand(): Promise<number> {
  // Files are for their owner alone, whatever the shell says.
  process.umask(0o077)
  const asked = readArgs(args)
  switch (asked.asks) {
    case 'help': {
      const { helpFor } = await import('./cli/help.js')
      print(helpFor(asked.about))
      return written()
    }
    case 'version':
      print(`loregraph ${await version()}`)
      return written()
  }
  const { command, values, operands } = asked
  if (command === 'serve') return runService(readConfig(env, values))
  // Loaded when a command is run: a service has no use for it.
  const { run } = await import('./cli/run.js')
  const ports = { env, terminal: terminal(), now, randomBytes, pid, program, orphaned }
  return written(await run(command, values, operands, ports))
}

async function runService(config: Config): Promise<number> {
  // The service is most of the program, and of the time that the program takes to load; only this command needs it.
  const [{ pino }, { LogWriter, stderrSink }, { serve }] = await Promise.all([
    import('pino'),
    import('./service/log-writer.js'),
    import('./service/serve.js'),
  ])
  const lines = new LogWriter(stderrSink(process.stderr))
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      formatters: { level: (level) => ({ level }) },
    },
    lines,
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
  const ports = {
    log,
    droppedLines: () => lines.dropped,
    print,
    show: (text: string) => show(process.stdout, text),
  }
  try {
    return await serve(config, { ...ports, now, randomBytes, pid, stop })
  } finally {
    clearTimeout(deadline)
    lines.flush()
    // A reader of the log or of stdout that does not read is not waited for.
    setTimeout(() => process.exit(), LAST_LINES_MS).unref()
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

/** The code to exit with, once all output is written; rejects when some of it was not. */
async function written(code: number = EXITS.fine.code): Promise<number> {
  if (code !== EXITS.fine.code) return code
  await new Promise((resolve) => process.stdout.write('', resolve))
  if (unwritten !== undefined) throw unwritten
  return code
}

function notWritten(cause: unknown): Stop {
  const code = errorCode(cause) ?? 'unknown'
  return new Stop('disk', `Not all of the output could be written to stdout (${code}).`, { cause })
}

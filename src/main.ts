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
/** Longer than closing files can take, once requests are drained. */
const CLOSE_TIMEOUT_MS = 50_000
const ORPHAN_CHECK_MS = 1_000
/** Time to write the last lines of the log after the service has stopped. */
const LOG_FLUSH_MS = 1_000

let stdoutError: Error | undefined
process.stdout.on('error', (error) => {
  stdoutError ??= error
})
// An error of stderr loses only messages; the result on stdout is still complete.
process.stderr.on('error', () => {})
process.exitCode = await main()

async function main(): Promise<number> {
  const isHook = isForHook(args)
  try {
    return await runCommand()
  } catch (thrown) {
    // A reader such as `head` closes stdout when it has enough.
    if (thrown === stdoutError && errorCode(thrown) === 'EPIPE') return EXITS.fine.code
    const error = thrown === stdoutError ? outputFailure(thrown) : thrown
    const message = explainError(error)
    process.stderr.write(`${isHook ? message.replaceAll('\n', ' ') : message}\n`)
    // An agent host may discard the prompt of its user when a hook fails.
    return isHook ? EXITS.fine.code : exitCodeOf(error)
  }
}

async function runCommand(): Promise<number> {
  // Files are readable only by their owner, whatever the umask of the shell.
  process.umask(0o077)
  const parsed = readArgs(args)
  switch (parsed.asks) {
    case 'help': {
      const { helpFor } = await import('./cli/help.js')
      print(helpFor(parsed.about))
      return flushStdout()
    }
    case 'version':
      print(`loregraph ${await version()}`)
      return flushStdout()
  }
  const { command, values, operands } = parsed
  if (command === 'serve') return runService(readConfig(env, values))
  // Loaded only here: the service does not need the commands.
  const { run } = await import('./cli/run.js')
  const ports = { env, terminal: terminal(), now, randomBytes, pid, program, parentExited }
  return flushStdout(await run(command, values, operands, ports))
}

async function runService(config: Config): Promise<number> {
  // Loaded only here: other commands start faster without the service, which is most of the program.
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
  // Node.js would print warnings as plain text, but each line of the log is a JSON object.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Warning.'))
  // The state of the process is unknown after an uncaught exception; the next start recovers.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Uncaught exception.')
    process.exit(EXITS.failed.code)
  })
  const stop = stopSignal()
  let deadline: NodeJS.Timeout | undefined
  // The timer also keeps the process alive until everything is closed.
  void stop.then(() => {
    deadline = setTimeout(
      () => {
        log.fatal({}, 'Stopping took too long; ended as it was.')
        process.exit(EXITS.failed.code)
      },
      1000 * config.stopSeconds + CLOSE_TIMEOUT_MS,
    )
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
    // A reader of the log or of stdout that has stopped reading must not keep the process alive.
    setTimeout(() => process.exit(), LOG_FLUSH_MS).unref()
  }
}

function terminal(): Terminal {
  const { stdin, stdout, stderr } = process
  return {
    stdin,
    stdout,
    stderr,
    // Some terminals report a width of 0.
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

/** Resolves at the first signal; the second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(EXITS.failed.code)
        isStopping = true
        resolve()
      })
  })
}

/** Resolves when the parent process has ended, which changes the parent id. */
function parentExited(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, ORPHAN_CHECK_MS).unref()
  })
}

/** Resolves to the exit code when all output has been written; rejects if it could not be. */
async function flushStdout(code: number = EXITS.fine.code): Promise<number> {
  if (code !== EXITS.fine.code) return code
  await new Promise((resolve) => process.stdout.write('', resolve))
  if (stdoutError !== undefined) throw stdoutError
  return code
}

function outputFailure(cause: unknown): Stop {
  const code = errorCode(cause) ?? 'unknown'
  return new Stop('disk', `Not all of the output could be written to stdout (${code}).`, { cause })
}

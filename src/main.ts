#!/usr/bin/env node
/** The only file that touches the process. */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { repair } from './cli/repair.js'
import { sentenceOf } from './cli/sentence.js'
import { serve } from './cli/serve.js'
import { verify } from './cli/verify.js'
import { type Config, ConfigError, readConfig, USAGE } from './config.js'

const EXIT_FAILED = 1
/** Exit codes of sysexits.h, which service managers know. */
const EXIT_TEMPORARY = 75
const EXIT_CONFIG = 78

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    // Files are for their owner alone, whatever the shell says.
    process.umask(0o077)
    const config = readConfig(process.env, process.argv.slice(2))
    switch (config.command) {
      case 'help':
        print(USAGE)
        return 0
      case 'verify':
        return await verify(config.data, print)
      case 'repair':
        return await repair(config.data, { truncate: config.truncate, pid: process.pid }, print)
      case 'serve':
        return await run(config)
    }
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return exitCodeOf(error)
  }
}

function run(config: Config): Promise<number> {
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      formatters: { level: (level) => ({ level }) },
    },
    // Lines are gathered for a moment under load; what is left is written when the process ends.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  )
  // What nobody caught may have left anything half done: say so and end, and let the next start recover.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'An error that nobody caught.')
    process.exit(EXIT_FAILED)
  })
  return serve(config, {
    log,
    print,
    now: () => new Date(),
    randomBytes,
    pid: process.pid,
    stop: stopSignal(),
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The first signal asks, the second one insists. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (asked) process.exit(EXIT_FAILED)
        asked = true
        resolve()
      })
  })
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT_CONFIG
  if (!(error instanceof Error)) return EXIT_FAILED
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode
  if ('code' in error && error.code === 'EADDRINUSE') return EXIT_TEMPORARY
  return 'code' in error && typeof error.code === 'string' ? EXIT_CONFIG : EXIT_FAILED
}

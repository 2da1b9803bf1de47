import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished, type TestContext } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'

const run = promisify(execFile)

/** Without its tool a fault cannot be made: that fails in CI, and is said aloud elsewhere. */
async function need(context: TestContext, what: string, attempt: () => Promise<unknown>): Promise<void> {
  try {
    await attempt()
  } catch (error) {
    const message = `NOT RUN: ${context.task.name}\nIt needs ${what}: ${error}`
    if (process.env['CI']) throw new Error(message)
    console.warn(message)
    context.skip(message)
  }
}

export async function needStrace(context: TestContext): Promise<void> {
  await need(context, 'strace, and the right to trace', () => run('strace', ['-o', '/dev/null', 'true']))
}

/** A file system of that size, gone after the test. */
export async function mountSmall(context: TestContext, size: string): Promise<string> {
  const folder = temporaryFolder()
  await need(context, 'the right to mount a tmpfs', () =>
    run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]),
  )
  onTestFinished(async () => {
    await run('umount', ['-l', folder])
  })
  return folder
}

/** Lets a process that is running have no more files open than that. */
export async function limitFiles(
  context: TestContext,
  pid: number | undefined,
  count: number,
): Promise<void> {
  await need(context, 'prlimit', () => run('prlimit', ['--pid', String(pid), `--nofile=${count}`]))
}

export async function makeReadOnly(folder: string): Promise<void> {
  await run('mount', ['-o', 'remount,ro', folder])
}

/** Runs a command under strace: calls to `calls` on those paths fail with `error`, at the times that `when` says. */
export function injecting(
  calls: string,
  error: string,
  when: string,
  paths: readonly string[] = [],
): string[] {
  return [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    ...paths.flatMap((path) => ['-P', path]),
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:error=${error}:when=${when}`,
  ]
}

/** One thread for files, so that strace, which counts by thread, counts all calls. */
export const ONE_THREAD = { UV_THREADPOOL_SIZE: '1' }

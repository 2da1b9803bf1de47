import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './table.js'

/** What the process with the tests needs to know of a bug. */
export type Asked = Pick<Mutant, 'file' | 'tests' | 'title'>

export interface Said {
  /** The test that failed, if one did. */
  readonly by?: string
  /** Why the tests could not be run. */
  readonly error?: string
}

/** A copy of the project, with a process that runs tests in it and keeps what it compiled. */
export class Lane {
  readonly #child: ChildProcess
  /** How the process ended. */
  readonly #ended: Promise<string>

  constructor(
    readonly copy: string,
    databaseUrl: string,
  ) {
    this.#child = fork(fileURLToPath(new URL('runner.ts', import.meta.url)), {
      cwd: copy,
      env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
    })
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
  }

  /** The first test that fails of those named for the bug, if one does. */
  async failing(asked: Asked): Promise<string | undefined> {
    this.#child.send(asked)
    const answered = new AbortController()
    const until = { signal: answered.signal }
    const said: Said = await Promise.race([
      once(this.#child, 'message', until).then(([message]) => message),
      this.#ended.then((how) => ({ error: `The process with the tests ended: ${how}.` })),
    ])
    answered.abort()
    if (said.error !== undefined) throw new Error(said.error)
    return said.by
  }

  async close(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#ended
  }
}

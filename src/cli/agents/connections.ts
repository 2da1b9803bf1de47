import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import type { ConnectHost } from './hosts.js'

/** What `connect` did for one host in one project. */
export interface Connection {
  readonly name: string
  readonly host: ConnectHost
  readonly project: string
  readonly url: string
  readonly graph: string
  readonly hooks: boolean
  readonly agentsMd?: boolean
  readonly skills?: boolean
  /** Undefined once it is revoked. */
  readonly keyId?: string
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  readonly file: string
  /** The hash of what was written: while the file has it, nobody else has changed it. */
  readonly hash: string
  readonly isNew: boolean
  /** The outermost folder that was made for it. */
  readonly folder?: string
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The connections that are noted in a folder; what is no such note is passed over. */
export async function readConnections(folder: string): Promise<readonly Connection[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  const read = names.filter((name) => name.endsWith('.json')).map((name) => readNote(join(folder, name)))
  return (await Promise.all(read)).flatMap((note) => note ?? [])
}

async function readNote(file: string): Promise<Connection | undefined> {
  const read = readFile(file, 'utf8').then((text): unknown => JSON.parse(text))
  const note = await read.catch(() => undefined)
  return isConnection(note) ? note : undefined
}

function isConnection(note: unknown): note is Connection {
  return typeof note === 'object' && note !== null && 'host' in note && 'project' in note && 'files' in note
}

/**
 * The same on every machine for the same project, so that people who share its files do not change each other's lines; and
 * never that of another project here.
 */
export function nameFor(
  host: ConnectHost,
  project: string,
  graph: string,
  known: readonly Connection[],
): string {
  const plain = [host, basename(project).replace(/[^\w.-]+/g, '_'), graph].filter((it) => it !== '').join('-')
  const isTaken = known.some((it) => it.name === plain && it.project !== project)
  return isTaken ? `${plain}-${hashOf(project).slice(0, 8)}` : plain
}

export function secretPath(folder: string, name: string): string {
  return join(folder, `${name}.secret`)
}

export function hasSecret(folder: string, name: string): boolean {
  return existsSync(secretPath(folder, name))
}

export async function saveSecret(folder: string, name: string, secret: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(secretPath(folder, name), `${secret}\n`, { mode: 0o600, flush: true })
}

export async function saveConnection(folder: string, connection: Connection): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify(connection, null, 2)}\n`
  await writeFile(join(folder, `${connection.name}.json`), text, { mode: 0o600, flush: true })
}

export async function forget(folder: string, name: string): Promise<void> {
  await rm(secretPath(folder, name), { force: true })
  await rm(join(folder, `${name}.json`), { force: true })
}

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Job } from '../commands/job.js'
import { Stop, usage } from '../output/exits.js'
import { type Api, unlessGone } from '../target/api.js'
import { remoteApi } from '../target/remote.js'
import { readService } from '../target/target.js'
import { type ConfigFile, changeFile, formerText, readConfigFile, restoreFile } from './config-file.js'
import {
  type ChangedFile,
  type Connection,
  forget,
  hashOf,
  hasSecret,
  nameFor,
  readConnections,
  saveConnection,
  saveSecret,
  secretPath,
} from './connections.js'
import { difference } from './difference.js'
import {
  blockFor,
  CONNECT_HOSTS,
  type ConnectHost,
  hostFiles,
  isConnectHost,
  isPrintedHost,
  type Parts,
  placeOf,
  stillWanted,
} from './hosts.js'
import { connectionsFolder, homeOf } from './places.js'
import { programIn, tryProgram } from './program.js'
import { graphMistakes, type HostFile, shellWord, type Wiring } from './wiring.js'

/** A file with what it was without our lines, and what it is to be with them. */
interface Change {
  readonly now: ConfigFile
  readonly former: string | undefined
  readonly text: string
}

export async function connect(job: Job): Promise<void> {
  const { api, values, env, note, url = '' } = job
  const [name = ''] = job.operands
  const [graph = '', ...more] = values.graph ?? []
  const mistakes = [
    ...hostMistakes(name),
    ...(graph === '' || more.length > 0 ? ['connect needs one --graph.'] : graphMistakes(graph)),
    ...urlMistakes(url),
  ]
  if (mistakes.length > 0 || !isConnectHost(name)) throw usage(mistakes, 'connect')
  const project = projectOf(name, job)
  const folder = connectionsFolder(env)
  const known = await readConnections(folder)
  const before = known.find((it) => it.host === name && it.project === project)
  const own = before?.graph === graph ? before.name : nameFor(name, project, graph, known)
  const secretFile = fromHome(secretPath(folder, own), homeOf(env))
  // Programs with windows do not have the PATH of a shell, and a printed block is for this machine alone.
  const program = await programIn(isPrintedHost(name) ? {} : env, job.program)
  const wiring: Wiring = { program, url, graph, secretFile, isHttp: values.http ?? false }
  // What is there already stays, also when it is not asked for again.
  const parts: Parts = {
    hooks: values.hooks ?? before?.hooks ?? false,
    agentsMd: values['agents-md'] ?? before?.agentsMd ?? false,
    skills: values.skills ?? before?.skills ?? false,
  }
  const home = resolve(homeOf(env))
  const files = hostFiles(name, { project, home }, parts)
  const changes = (await changesFor(files, wiring, before)).filter(({ now, text }) => now.text !== text)
  for (const { now, text } of changes) show(job, now, text)
  if (isPrintedHost(name)) job.print(blockFor(name, wiring))
  const isSame =
    before?.url === url && before.graph === graph && before.keyId !== undefined && hasSecret(folder, own)
  if (isSame && changes.length === 0) return note(`${name} is connected to ${graph} already.`)
  if (values['dry-run'] === true) return note('Nothing was done: --dry-run.')
  if (!wiring.isHttp || parts.hooks) await tryProgram(program, env)
  const key = isSame ? { keyId: before.keyId } : await makeKey(api, folder, own, name, project, graph)
  const connection = { name: own, host: name, project, url, graph, ...parts, ...key }
  try {
    // Before a file is touched, so that what is cut short can be undone as well.
    await saveConnection(folder, { ...connection, files: merged(before, changes.map(plannedChange)) })
    await saveConnection(folder, { ...connection, files: merged(before, await applyAll(changes)) })
  } catch (error) {
    if (!isSame) await api.revokeKey(key.keyId ?? '').catch(() => {})
    if (!isSame) await forget(folder, own)
    if (before !== undefined) await saveConnection(folder, before)
    throw error
  }
  if (before?.keyId !== undefined && !isSame) await api.revokeKey(before.keyId).catch(() => {})
  if (before !== undefined && before.name !== own) await forget(folder, before.name)
  const where = project === home ? ['--user'] : ['--project', project]
  const undo = [...(await programIn(env, job.program)), 'disconnect', name, ...where].map(shellWord)
  note(`${name} is connected to ${graph}. To undo this: ${undo.join(' ')}`)
  for (const one of stillWanted(name, parts.hooks, project === home, wiring)) note(one)
}

export async function disconnect(job: Job): Promise<void> {
  const { values, env, note } = job
  const [name = ''] = job.operands
  if (!isConnectHost(name)) throw usage(hostMistakes(name), 'disconnect')
  const project = projectOf(name, job)
  const folder = connectionsFolder(env)
  const known = await readConnections(folder)
  const connection = known.find((it) => it.host === name && it.project === project)
  if (connection === undefined)
    return note(`${name} is not connected in ${project}. There is nothing to undo.`)
  const isNamed = values.url !== undefined || env['LOREGRAPH_URL'] !== undefined
  if (isNamed && job.url !== connection.url)
    throw new Stop('usage', `${name} is connected through ${connection.url}. Name it with --url.`)
  const api = isNamed ? job.api : remoteApi(await readService(env, { ...values, url: connection.url }))
  const home = resolve(homeOf(env))
  const others = known.filter((it) => it !== connection)
  const heirs = await Promise.all(connection.files.map((file) => heirOf(file, others, home)))
  const restored = await Promise.all(
    connection.files.flatMap((file, i) => (heirs[i] ? [] : [formerOf(file, connection, home)])),
  )
  for (const { now, text } of restored) show(job, now, text)
  if (values['dry-run'] === true) return note('Nothing was done: --dry-run.')
  for (const heir of others) {
    const isNoted = ({ file }: ChangedFile) => heir.files.some((it) => it.file === file)
    const left = connection.files.filter((file, i) => heirs[i] === heir && !isNoted(file))
    if (left.length > 0) await saveConnection(folder, { ...heir, files: [...heir.files, ...left] })
  }
  // The last first, so that a folder is empty when its turn comes.
  for (const { now, text, changed } of restored.reverse()) await restoreFile(now, text, changed)
  await saveConnection(folder, { ...connection, files: [] })
  if (connection.keyId !== undefined) await api.revokeKey(connection.keyId).catch(unlessGone)
  await forget(folder, connection.name)
  note(`${name} is no longer connected to ${connection.graph}, and its key is revoked.`)
  if (isPrintedHost(name)) note(`Take loregraph out of ${placeOf(name)}.`)
}

/** The former bytes if nobody has changed the file since; otherwise the file without our lines. */
async function formerOf(changed: ChangedFile, connection: Connection, home: string) {
  const now = await readConfigFile(changed.file)
  const known = await formerText(now, changed)
  if (known !== undefined) return { now, changed, text: known.text }
  const found = (await filesOf(connection, home)).find(({ at }) => at === now.file)?.one
  return { now, changed, text: now.text && found ? found.without(now.text) : now.text }
}

/** Another connection whose host reads the same file, as several read AGENTS.md: the last of them restores it. */
async function heirOf({ file }: ChangedFile, others: readonly Connection[], home: string) {
  for (const other of others) if ((await filesOf(other, home)).some(({ at }) => at === file)) return other
  return undefined
}

/** The files of a connection, each with where it really is. */
async function filesOf({ host, project, hooks, agentsMd, skills }: Connection, home: string) {
  const parts = { hooks, agentsMd: agentsMd ?? false, skills: skills ?? false }
  const files = hostFiles(host, { project, home }, parts)
  const at = (file: string) => realpath(file).catch(() => resolve(file))
  return Promise.all(files.map(async (one) => ({ one, at: await at(one.file) })))
}

function hostMistakes(name: string): string[] {
  return isConnectHost(name)
    ? []
    : [`The host must be one of ${CONNECT_HOSTS.join(', ')}, not ${JSON.stringify(name)}.`]
}

/** The home folder for all projects, as Copilot and hosts that only get a block have it always. */
function projectOf(host: ConnectHost, { values, env }: Pick<Job, 'values' | 'env'>): string {
  if (values.user && values.project !== undefined)
    throw usage(['--user is for all projects, and --project for one.'], 'connect')
  const isForUser = values.user || host === 'copilot' || isPrintedHost(host)
  return resolve(isForUser ? homeOf(env) : (values.project ?? '.'))
}

/** It becomes a part of a command line. */
function urlMistakes(url: string): string[] {
  return /^[\w:/.[\]~%-]+$/.test(url)
    ? []
    : [`--url must hold no other signs than : / . [ ] ~ % - _, not ${JSON.stringify(url)}.`]
}

async function changesFor(
  files: readonly HostFile[],
  wiring: Wiring,
  before: Connection | undefined,
): Promise<readonly Change[]> {
  return Promise.all(
    files.map(async (one) => {
      const now = await readConfigFile(one.file)
      const changed = before?.files.find(({ file }) => file === now.file)
      const known = changed && (await formerText(now, changed))
      const former = known === undefined ? now.text && one.without(now.text) : known.text
      // With lines that are right already, whoever wrote them, the file stays as it is.
      const asIs = now.text !== undefined && known === undefined && one.with(now.text, wiring) === now.text
      return { now, former, text: asIs ? (now.text ?? '') : one.with(former ?? '', wiring) }
    }),
  )
}

function plannedChange({ now, former, text }: Change): ChangedFile {
  return { file: now.file, hash: hashOf(text), isNew: former === undefined }
}

function merged(before: Connection | undefined, changed: readonly ChangedFile[]): readonly ChangedFile[] {
  const all = new Map((before?.files ?? []).map((one) => [one.file, one]))
  for (const one of changed) all.set(one.file, { ...all.get(one.file), ...one })
  return [...all.values()]
}

/** Writes all of them, or none. */
async function applyAll(changes: readonly Change[]): Promise<readonly ChangedFile[]> {
  const done: { readonly now: ConfigFile; readonly changed: ChangedFile }[] = []
  try {
    for (const { now, former, text } of changes)
      done.push({ now, changed: await changeFile(now, former, text) })
  } catch (error) {
    for (const { now, changed } of done.reverse()) await restoreFile(now, now.text, changed)
    throw error
  }
  return done.map(({ changed }) => changed)
}

/** As the contract has it. */
export const MAX_KEY_NAME_LENGTH = 100

async function makeKey(
  api: Api,
  folder: string,
  own: string,
  host: ConnectHost,
  project: string,
  graph: string,
): Promise<{ readonly keyId: string }> {
  const name = `${host} in ${project}`.slice(-MAX_KEY_NAME_LENGTH)
  const { key_id, secret } = await api.createKey({
    name: name.replace(/\p{Cc}/gu, '_'),
    scopes: ['read', 'write'],
    graphs: [graph],
    sources: ['agent'],
  })
  try {
    await saveSecret(folder, own, secret)
  } catch (error) {
    await api.revokeKey(key_id).catch(() => {})
    throw new Stop('exists', `The secret cannot be kept in ${folder}.`, { cause: error })
  }
  return { keyId: key_id }
}

function show({ print }: Job, { file, text: before }: ConfigFile, after: string | undefined): void {
  if (before === after) return
  print(`${file}${before === undefined ? ' (new)' : after === undefined ? ' (removed)' : ''}`)
  for (const line of difference(before ?? '', after ?? '')) print(line)
}

/** A path in the home folder with `~`, so that it is the same for everybody who shares the file. */
function fromHome(path: string, home: string): string {
  const plain = path.replaceAll('\\', '/')
  const folder = `${home.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  return plain.startsWith(folder) ? `~/${plain.slice(folder.length)}` : plain
}

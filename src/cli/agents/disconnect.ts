import { resolve } from 'node:path'
import type { Job } from '../commands/job.js'
import { Stop } from '../output/exits.js'
import { usage } from '../parse/usage.js'
import type { Api } from '../target/api.js'
import { formerText, readConfigFile, restoreFile } from './config-file.js'
import { hostMistakes, projectOf } from './connect.js'
import { type ChangedFile, type Connection, forget, keepNote, readConnections } from './connections.js'
import { difference } from './difference.js'
import { hostFiles, isConnectHost } from './host-files.js'
import { connectionsFolder, homeOf } from './places.js'
import { isPrintedHost, placeOf } from './printed-hosts.js'

/** `loregraph disconnect` */
export async function disconnect(job: Job): Promise<void> {
  const { api, values, env, note, url } = job
  const [name = ''] = job.operands
  if (!isConnectHost(name)) throw usage(hostMistakes(name), 'disconnect')
  const project = projectOf(name, job)
  const folder = connectionsFolder(env)
  const known = await readConnections(folder)
  const connection = known.find((it) => it.host === name && it.project === project)
  if (connection === undefined)
    return note(`${name} is not connected in ${project}. There is nothing to undo.`)
  if (url !== connection.url)
    throw new Stop('usage', `${name} is connected through ${connection.url}. Name it with --url.`)
  const restored = await Promise.all(
    connection.files.map((file) => formerOf(file, connection, resolve(homeOf(env)))),
  )
  for (const { now, text } of restored) show(job, now.file, now.text, text)
  if (values['dry-run'] === true) return note('Nothing was done: --dry-run.')
  // The last first, so that a folder is empty when its turn comes.
  for (const { now, text, changed } of restored.reverse()) await restoreFile(now, text, changed)
  await keepNote(folder, { ...connection, files: [] })
  await revoke(api, connection)
  await forget(folder, connection.name)
  note(`${name} is no longer connected to ${connection.graph}, and its key is revoked.`)
  if (isPrintedHost(name)) note(`Take loregraph out of ${placeOf(name)}.`)
}

/** The former bytes if nobody has changed the file since; otherwise the file without our lines. */
async function formerOf(changed: ChangedFile, { host, project, hooks }: Connection, home: string) {
  const now = await readConfigFile(changed.file)
  const known = await formerText(now, changed)
  if (known !== undefined) return { now, changed, text: known.text }
  const own = hostFiles(host, { project, home }, hooks)
  const files = await Promise.all(
    own.map(async (one) => ({ one, at: (await readConfigFile(one.file)).file })),
  )
  const found = files.find(({ at }) => at === now.file)?.one
  return { now, changed, text: now.text && found ? found.without(now.text) : now.text }
}

async function revoke(api: Api, { keyId }: Connection): Promise<void> {
  if (keyId === undefined) return
  const isThere = (await api.keys()).some(({ key_id }) => key_id === keyId)
  if (isThere) await api.revokeKey(keyId)
}

function show({ print }: Job, file: string, before: string | undefined, after: string | undefined): void {
  if (before === after) return
  print(`${file}${after === undefined ? ' (removed)' : ''}`)
  for (const line of difference(before ?? '', after ?? '')) print(line)
}

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Failure } from '../domain/failure.js'
import { ID_BYTES, makeKeyId } from '../domain/ids.js'
import type { Key as DomainKey } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import { makeSecret } from '../domain/secret.js'
import { lineOf } from '../domain/transfer/decode.js'
import { encodeExport } from '../domain/transfer/encode.js'
import { insightHandlers } from '../handlers/insights.js'
import { hashSecret } from '../http/auth.js'
import { type JsonStore, openJsonStore } from '../store/json/store.js'
import { EXIT_IN_USE, Refusal } from '../store/json/trouble.js'
import type { Store } from '../store/store.js'
import { hasDemo, loadDemo } from './demo.js'
import { Stop } from './exits.js'
import { readLexicon } from './lexicon.js'
import type { Key, Loregraph } from './loregraph.js'

export interface OfflineOptions {
  readonly folder: string
  /** Whether a folder that is not there may be made. */
  readonly make: boolean
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** What the store has to say beside the result. */
  readonly note: (line: string) => void
}

/** The data folder itself, locked as the service locks it, until it is closed. */
export async function offline(options: OfflineOptions): Promise<Loregraph> {
  const { folder, make, now, randomBytes } = options
  if (!make && !existsSync(folder))
    throw new Stop('noInput', `There is no folder ${folder}. Choose another with --data, or use --url.`)
  const store = await openStore(options)
  return {
    async createKey({ name, scopes, graphs, expires_at }) {
      const secret = makeSecret(randomBytes)
      const at = now()
      const key: DomainKey = {
        keyId: makeKeyId(at.getTime(), randomBytes(ID_BYTES)),
        name,
        scopes,
        ...(graphs && { graphs }),
        createdAt: at.toISOString(),
        ...(expires_at !== undefined && { expiresAt: expires_at }),
      }
      await store.keys.add(key, hashSecret(secret).toString('hex'))
      const { key_id, ...rest } = toWire(key)
      return { key_id, secret, ...rest }
    },
    async keys() {
      const keys: Key[] = []
      for (let page = 0; ; page++) {
        const { items, total } = await store.keys.list(undefined, { page, pageSize: 500 })
        keys.push(...items.map(toWire))
        if (items.length === 0 || keys.length >= total) return keys
      }
    },
    revokeKey: (keyId) => store.keys.remove(keyId),
    async insight(body) {
      const { generateInsight } = insightHandlers(store, await readLexicon())
      const answer = await generateInsight({ path: {}, query: {}, headers: {}, body })
      return answer.body
    },
    async occurredAt(graphId, memoryId) {
      return (await store.memory(graphId, memoryId).catch(unlessGone))?.occurredAt
    },
    exportGraph: async (graphId) => exported(store, graphId),
    async importGraph(graphId, events) {
      const at = (index: number) => `/body/${lineOf(index)}`
      return { graph_id: graphId, ...(await store.importGraph(graphId, events, at)) }
    },
    async loadDemo() {
      if (await hasDemo(store)) return false
      await loadDemo(store)
      return true
    },
    close: () => store.close(),
  }
}

async function openStore({ folder, now, randomBytes, pid, note }: OfflineOptions): Promise<JsonStore> {
  try {
    const tell = (_details: object, message: string) => note(message)
    const log = { info() {}, warn: tell, error: tell }
    return await openJsonStore({ folder, now, randomBytes, pid, log })
  } catch (error) {
    if (!(error instanceof Refusal) || error.exitCode !== EXIT_IN_USE) throw error
    throw new Stop('inUse', `${error.message} Or use --url to talk to the running service.`, { cause: error })
  }
}

/** The time in the header is that of the latest event; nobody can record another while we hold the folder. */
async function* exported(store: Store, graphId: GraphId): AsyncGenerator<Uint8Array> {
  let exportedAt = ''
  for await (const events of await store.exportGraph(graphId))
    exportedAt = events.at(-1)?.recordedAt ?? exportedAt
  const utf8 = new TextEncoder()
  const graph = { graphId, exportedAt, events: await store.exportGraph(graphId) }
  for await (const text of encodeExport(graph, createHash('sha256'))) yield utf8.encode(text)
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'memory_not_found')) throw error
}

function toWire({ keyId, name, scopes, graphs, createdAt, expiresAt }: DomainKey): Key {
  return {
    key_id: keyId,
    name,
    scopes: [...scopes],
    ...(graphs && { graphs: [...graphs] }),
    created_at: createdAt,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}

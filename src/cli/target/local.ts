import { existsSync } from 'node:fs'
import { Failure } from '../../domain/failure.js'
import { TextCache } from '../../domain/text-cache.js'
import { parseAsOf } from '../../domain/time.js'
import { lineOf } from '../../domain/transfer/decode.js'
import { exportOf } from '../../handlers/graphs.js'
import { insightHandlers } from '../../handlers/insights.js'
import { keyHandlers } from '../../handlers/keys.js'
import { fromMemory } from '../../handlers/memories.js'
import { type FileStoreOptions, openFileStore } from '../../log/file-store.js'
import { loadDemo } from '../../service/demo-graph.js'
import { openMeaning } from '../../service/meaning/open-meaning.js'
import { EXIT_IN_USE, OpenError } from '../../store/open-error.js'
import type { Store } from '../../store/store.js'
import { Stop } from '../output/exits.js'
import { type Api, allPages } from './api.js'
import { localSurvey } from './local-survey.js'
import { EMPTY, ROOT } from './root.js'
import type { Target } from './target.js'

type Place = Exclude<Target, { readonly kind: 'service' }>

interface LocalOptions {
  readonly place: Place
  /** Whether a folder that is not there may be made. */
  readonly make: boolean
  /** Whether anything is to be recorded. */
  readonly changes: boolean
  /** Whether a question is asked, or what is unread is told: only then is anything read for meaning. */
  readonly asks: boolean
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** Warnings and errors of the store, on stderr. */
  readonly note: (line: string) => void
}

/** The data folder itself, locked as the service locks it until it is closed, or the database, with the handlers of the service. */
export async function localApi(options: LocalOptions): Promise<Api> {
  const { now, randomBytes, place, asks, note } = options
  const tell = (_details: object, message: string) => note(message)
  const log = { info() {}, warn: tell, error: tell }
  const texts = new TextCache()
  // A command that can answer by words does so, with a warning.
  const meaning = await openMeaning(asks && place.meaning !== 'off' ? 'auto' : 'off', { log })
  const reading = meaning && { meaning }
  const store = await openStore(options, { now, randomBytes, log, texts, ...reading })
  const keys = keyHandlers(store, { now, randomBytes, audit() {} })
  return {
    createKey: async (body) => (await keys.createKey({ ...EMPTY, body }, ROOT)).body,
    keys: () =>
      allPages(async (page) => {
        const { body } = await keys.listKeys({ ...EMPTY, query: { page, page_size: 500 } }, ROOT)
        return { items: body.keys, total: body.total }
      }),
    async revokeKey(key_id, with_descendants = false) {
      await keys.revokeKey({ ...EMPTY, path: { key_id }, query: { with_descendants } }, ROOT)
    },
    async insight(body) {
      const { generateInsight } = insightHandlers(store, { texts, ...reading })
      return (await generateInsight({ ...EMPTY, body }, ROOT)).body
    },
    memory: (graphId, memoryId) =>
      store.read(graphId, async (graph) => fromMemory(graph.memory(memoryId), ROOT)).catch(unlessGone),
    ...localSurvey(store, { texts, ...reading }),
    async exportGraph(graphId, moment) {
      const part = moment === undefined ? {} : { asOf: parseAsOf(moment, '--as-of') }
      return encoded(await exportOf(store, graphId, part))
    },
    async importGraph(graphId, events) {
      const at = (index: number) => `/body/${lineOf(index)}`
      return { graph_id: graphId, ...(await store.importGraph(graphId, events, at)) }
    },
    loadDemo: () => loadDemo(store),
    async close() {
      await store.close()
      await meaning?.close()
    },
  }
}

/** What every store needs. */
type StoreParts = Pick<FileStoreOptions, 'now' | 'randomBytes' | 'log' | 'texts' | 'meaning'>

async function openStore(
  { place, make, changes, asks, pid }: LocalOptions,
  parts: StoreParts,
): Promise<Store> {
  if (place.kind === 'database') {
    const { openPostgresStore } = await import('../../log/postgres-store.js')
    return openPostgresStore({ ...parts, ...place.database })
  }
  const { folder } = place
  if (!make && !existsSync(folder))
    throw new Stop('noInput', `There is no folder ${folder}. Choose another with --data, or use --url.`)
  try {
    // What is read for a question is kept, so that the next one need not read it again.
    return await openFileStore({ ...parts, folder, pid, readOnly: !changes && !asks })
  } catch (error) {
    if (!(error instanceof OpenError) || error.exitCode !== EXIT_IN_USE) throw error
    throw new Stop('inUse', `${error.message} Or use --url to talk to the running service.`, { cause: error })
  }
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const text of texts) yield utf8.encode(text)
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'memory_not_found')) throw error
}

import { existsSync } from 'node:fs'
import { TextCache } from '../../domain/text-cache.js'
import { lineOf } from '../../domain/transfer/decode.js'
import { createHandlers } from '../../handlers/index.js'
import { type FileStoreOptions, openFileStore } from '../../log/file-store.js'
import { openMeaning } from '../../service/meaning/open-meaning.js'
import { EXIT_IN_USE, OpenError } from '../../store/open-error.js'
import type { Store } from '../../store/store.js'
import { Stop } from '../output/exits.js'
import { type Answer, type Api, operations } from './api.js'
import { inProcessClient } from './in-process.js'
import type { Place } from './target.js'

/**
 * What is done with the data: `reads` and `changes` need a folder that is there, `makes` records in one that may be new, and
 * `asks` reads for meaning as well, whether for a question or to say what is unread.
 */
export type Access = 'reads' | 'asks' | 'changes' | 'makes'

interface LocalOptions {
  readonly place: Place
  readonly access: Access
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly pid: number
  /** Warnings and errors of the store, on stderr. */
  readonly note: (line: string) => void
}

/** The data folder, locked as the service locks it until it is closed, or the database; opened when it is first asked. */
export function localApi(options: LocalOptions): Api {
  let opening: ReturnType<typeof open> | undefined
  const opened = () => (opening ??= open(options))
  const client = inProcessClient(async () => (await opened()).handlers)
  return {
    ...operations(client, async <T>(asked: Promise<Answer<T>>) => {
      const { data } = await asked
      // A boundary: a handler answers with what the contract gives the operation, or throws.
      return data as T
    }),
    async importGraph(graphId, events) {
      const { store } = await opened()
      const at = (index: number) => `/body/${lineOf(index)}`
      return { graph_id: graphId, ...(await store.importGraph(graphId, events, at)) }
    },
    async close() {
      // What could not be opened has said so, and leaves nothing open.
      const { store, meaning } = (await opening?.catch(() => undefined)) ?? {}
      await store?.close()
      await meaning?.close()
    },
  }
}

/** A command answers once, so it waits for memories to be embedded longer than a service would. */
const PATIENCE_MS = 60_000

async function open(options: LocalOptions) {
  const { now, randomBytes, place, access, note } = options
  const tell = (_details: object, message: string) => note(message)
  const log = { info() {}, warn: tell, error: tell }
  const texts = new TextCache()
  // A command that can answer by words does so, with a warning.
  const meaning = await openMeaning(access === 'asks' && place.meaning !== 'off' ? 'auto' : 'off', { log })
  const reading = { texts, ...(meaning && { meaning, patienceMs: PATIENCE_MS }) }
  const store = await openStore(options, { now, randomBytes, log, ...reading })
  const handlers = createHandlers(store, reading, { now, randomBytes, lines: NO_LINES, audit() {} })
  return { store, meaning, handlers }
}

/** An import goes to the store itself, its lines checked. */
const NO_LINES = { fits: (_line: unknown): _line is never => false, mistakes: () => [] }

type StoreParts = Pick<FileStoreOptions, 'now' | 'randomBytes' | 'log' | 'texts' | 'meaning' | 'patienceMs'>

async function openStore({ place, access, pid }: LocalOptions, parts: StoreParts): Promise<Store> {
  if (place.kind === 'database') {
    const { openPostgresStore } = await import('../../log/postgres-store.js')
    return openPostgresStore({ ...parts, ...place.database })
  }
  const { folder } = place
  if (access !== 'makes' && !existsSync(folder))
    throw new Stop('noInput', `There is no folder ${folder}. Choose another with --data, or use --url.`)
  try {
    // What is read for a question is kept, so that the next one need not read it again.
    return await openFileStore({ ...parts, folder, pid, readOnly: access === 'reads' })
  } catch (error) {
    if (!(error instanceof OpenError) || error.exitCode !== EXIT_IN_USE) throw error
    throw new Stop('inUse', `${error.message} Or use --url to talk to the running service.`, { cause: error })
  }
}

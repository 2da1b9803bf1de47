import type { components } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import type { GraphId, MemoryId } from '../../domain/model.js'

type Schemas = components['schemas']
export type Key = Schemas['Key']
type CreatedKey = Schemas['CreatedKey']
export type KeyRequest = Schemas['KeyRequest']
export type Insight = Schemas['Insight']
export type Memory = Schemas['Memory']
type Imported = Schemas['ImportedGraph']

/** The operations that commands use, on the data folder (`local.ts`) or a running service (`remote.ts`). */
export interface Api {
  createKey(request: KeyRequest): Promise<CreatedKey>
  keys(): Promise<readonly Key[]>
  revokeKey(keyId: string): Promise<void>
  insight(request: Question): Promise<Insight>
  /** A memory; undefined if it is gone by now. */
  memory(graphId: GraphId, memoryId: MemoryId): Promise<Memory | undefined>
  /** The bytes of an export, some at a time. */
  exportGraph(graphId: GraphId): Promise<AsyncIterable<Uint8Array>>
  /** All or nothing, also when the events end in an error, which it then rejects with. */
  importGraph(graphId: GraphId, events: AsyncIterable<readonly PastEvent[]>): Promise<Imported>
  /** Records the demo graph; false if it is there already. */
  loadDemo(): Promise<boolean>
  close(): Promise<void>
}

export interface Question {
  readonly graph_id: GraphId
  readonly task: string
  readonly limit: number
  readonly explain: boolean
}

/** All items of a list that is given a page at a time. */
export async function allPages<T>(
  pageOf: (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = 0; ; page++) {
    const { items, total } = await pageOf(page)
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

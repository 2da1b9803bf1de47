import type { Draft } from '../../../domain/events/recording.js'
import type {
  Context,
  ContextId,
  EventKind,
  JsonObject,
  Link,
  LinkKind,
  MemoryId,
  RecorderId,
  Source,
} from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import type { Decisions } from '../../../domain/trust/claims/types.js'
import type { Recorded, Sighted } from '../../../graph/records.js'
import { createYielding } from '../../../loop/yielding.js'
import { type Document, documentOf, type HashedContent } from './document.js'

/** A record with all that the tables keep of it. */
export type IndexedRecord = IndexedMemory | Sighted

export interface IndexedMemory extends Recorded {
  readonly content: HashedContent
  readonly document: Document
}

function toIndexed({ record, content }: Draft<HashedContent>, texts: TextCache): IndexedRecord {
  if (record.op === 'sighted') return record
  return { ...record, content, document: documentOf(record.payload, record.context, texts) }
}

/** Stemming takes long: others of the process have their turn in between. */
export async function toIndexedAll(
  drafts: Iterable<Draft<HashedContent>>,
  texts: TextCache,
): Promise<IndexedRecord[]> {
  const yielding = createYielding()
  const records: IndexedRecord[] = []
  for (const draft of drafts) {
    records.push(toIndexed(draft, texts))
    await yielding()
  }
  return records
}

/** What is known of a graph as a whole, and what of it the next record starts from. */
export interface GraphRow {
  last_seq: number
  last_place: number
  last_id: string
  last_recorded_at: string
  /** When the latest of its statements was recorded: `last_recorded_at` may be that of one that was erased. */
  stated_at: string
  newest_at: string
  memories: number
  total_length: number
  last_context_no: number
  /** Another one whenever something is erased; within one, events are only added. */
  readonly edition: number
}

/** A context while records are applied to it. */
export interface ContextState {
  readonly no: number
  readonly id: ContextId
  /** The number of the event that first named it. */
  readonly seq: number
  readonly createdAt: string
  readonly isNew: boolean
  memories: number
  /** How many of its memories are new. */
  added: number
  updatedAt: string
  changed: boolean
}

/** A memory while records are applied to it. */
export interface MemoryState {
  readonly seq: number
  readonly id: MemoryId
  readonly context: ContextState
  /** What is written once; undefined for a memory that is there already. */
  readonly fresh: FreshMemory | undefined
  readonly links: Link[]
  timesSeen: number
  /** Of its latest statement. */
  occurredAt: string
  /** Of its latest statement. */
  validUntil: string | undefined
  changed: boolean
}

export interface FreshMemory {
  readonly place: number
  readonly kind: EventKind
  readonly source: Source
  readonly payload: string
  readonly content: Buffer
  readonly stated: readonly Link[]
  readonly occurredAt: string
  readonly recordedAt: string
  readonly validUntil: string | undefined
  readonly recordedBy: RecorderId | undefined
  readonly decisions: Decisions | undefined
  readonly document: Document
}

/** How a list of links is kept: most memories have none. */
export function linksText(links: readonly Link[]): string | null {
  return links.length === 0 ? null : JSON.stringify(links.map(({ kind, target }) => [kind, target]))
}

export function linksOf(text: string | null): Link[] {
  if (text === null) return []
  // The store wrote this text itself.
  return (JSON.parse(text) as [LinkKind, string][]).map(([kind, target]) => ({ kind, target }))
}

/** More links than one event can state. */
export const LINKS = 1024

/** The place of a relation among all, by the event and the link that stated it first. */
export function madeAt(seq: number, link: number): number {
  return seq * LINKS + Math.min(link, LINKS - 1)
}

export function payloadOf(text: string): JsonObject {
  // The store wrote this text itself, from a JSON object.
  return JSON.parse(text) as JsonObject
}

export interface ContextColumns {
  readonly context_no: number
  readonly context_id: string
  readonly context_type: string
  readonly context_name: string
  readonly memories: number
  readonly created_at: string
  readonly updated_at: string
}

export function toContext(row: ContextColumns): Context {
  return {
    contextId: row.context_id,
    contextType: row.context_type,
    contextName: row.context_name,
    memoryCount: row.memories,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Bytes whose order is the order by code unit. */
export function sortKey(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

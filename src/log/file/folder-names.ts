import { createHash } from 'node:crypto'
import type { GraphId } from '../../domain/model.js'
import { numberedName, numberIn } from './disk/numbered.js'

const MAX_READABLE_CHARS = 40

/** The first folder of a graph that the owner with this number makes. */
export function folderOf(graph: GraphId, owner: number): string {
  return numberedName(baseOf(graph), owner)
}

/** The owner's next folder for a graph that is rewritten from its `current` folder; `random` distinguishes attempts. */
export function nextFolder(
  graph: GraphId,
  current: string | undefined,
  owner: number,
  random: Uint8Array,
): string {
  const rewrites = current === undefined ? 0 : (originOf(graph, current)?.rewrites ?? 0)
  return `${folderOf(graph, owner)}.${rewrites + 1}-${Buffer.from(random).toString('hex')}`
}

/** Who made a folder, and when. */
export interface FolderOrigin {
  /** The number of the owner that made it. */
  readonly owner: number
  /** How often the graph had been rewritten. */
  readonly rewrites: number
}

/** Undefined when the folder does not belong to the graph. */
export function originOf(graph: GraphId, folder: string): FolderOrigin | undefined {
  const rewritten = /^(.+)\.(\d+)-[0-9a-f]+$/.exec(folder)
  const owner = numberIn(rewritten?.[1] ?? folder, baseOf(graph))
  return owner === undefined ? undefined : { owner, rewrites: Number(rewritten?.[2] ?? 0) }
}

export function isLater(a: FolderOrigin, b: FolderOrigin): boolean {
  return a.owner === b.owner ? a.rewrites > b.rewrites : a.owner > b.owner
}

/** A name that is safe on every file system: a readable part of the graph id, and a hash that makes it unique. */
function baseOf(graph: GraphId): string {
  const readable = graph
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, MAX_READABLE_CHARS)
  return `${readable}.${createHash('sha256').update(graph).digest('hex').slice(0, 20)}`
}

/** A file with this name marks a folder as deleted, so that a repair does not restore it. */
export const DELETED = 'deleted'

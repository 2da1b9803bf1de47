import { createHash } from 'node:crypto'
import type { GraphId } from '../../domain/model.js'
import { numbered, numberIn } from './disk/numbered.js'

const READABLE = 40

/** The first folder of a graph that the owner with this number makes. */
export function folderOf(graph: GraphId, owner: number): string {
  return numbered(baseOf(graph), owner)
}

/** Its next folder for the same graph when it is rewritten, after the one it is in now, if any; `random` tells attempts apart. */
export function nextFolder(
  graph: GraphId,
  current: string | undefined,
  owner: number,
  random: Uint8Array,
): string {
  const turn = current === undefined ? 0 : (whenMade(graph, current)?.turn ?? 0)
  return `${folderOf(graph, owner)}.${turn + 1}-${Buffer.from(random).toString('hex')}`
}

/** When a folder was made. */
export interface Made {
  /** By the owner with this number. */
  readonly owner: number
  /** After the graph was rewritten that often. */
  readonly turn: number
}

/** When a folder was made; undefined when it is not one of that graph. */
export function whenMade(graph: GraphId, folder: string): Made | undefined {
  const rewritten = /^(.+)\.(\d+)-[0-9a-f]+$/.exec(folder)
  const owner = numberIn(rewritten?.[1] ?? folder, baseOf(graph))
  return owner === undefined ? undefined : { owner, turn: Number(rewritten?.[2] ?? 0) }
}

export function isLater(a: Made, b: Made): boolean {
  return a.owner === b.owner ? a.turn > b.turn : a.owner > b.owner
}

/** A name that is safe on every file system: something to recognise it by, and a hash to tell it apart. */
function baseOf(graph: GraphId): string {
  const readable = graph
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, READABLE)
  return `${readable}.${createHash('sha256').update(graph).digest('hex').slice(0, 20)}`
}

/** A file that says that the folder holds no graph any more: nothing brings it back. */
export const DELETED = 'deleted'

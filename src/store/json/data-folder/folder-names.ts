import { createHash } from 'node:crypto'
import type { GraphId } from '../../../domain/model.js'

const READABLE = 40

/** A folder name that is safe on every file system: something to recognise it by, and a hash to tell it apart. */
export function folderOf(graph: GraphId): string {
  const readable = graph
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, READABLE)
  return `${readable}.${createHash('sha256').update(graph).digest('hex').slice(0, 20)}`
}

/** The next folder for the same graph when it is rewritten, after the one it is in now, if any; `random` tells attempts apart. */
export function nextFolder(graph: GraphId, current: string | undefined, random: Uint8Array): string {
  const turn = current === undefined ? 1 : turnOf(graph, current) + 1
  return `${folderOf(graph)}.${turn}-${Buffer.from(random).toString('hex')}`
}

/** How often the graph in this folder was rewritten; -1 when the folder is not one of that graph. */
export function turnOf(graph: GraphId, folder: string): number {
  const base = folderOf(graph)
  if (folder === base) return 0
  const turn = folder.startsWith(`${base}.`) ? /^(\d+)-[0-9a-f]+$/.exec(folder.slice(base.length + 1)) : null
  return turn === null ? -1 : Number(turn[1])
}

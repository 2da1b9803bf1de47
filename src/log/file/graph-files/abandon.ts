import { basename } from 'node:path'
import type { GraphHome } from './journal.js'
import type { GraphPorts } from './ports.js'

/** Removes a folder that did not become a graph; if it cannot be removed now, the next start removes it. */
export async function abandonFolder({ files, folder }: GraphHome, { announce }: GraphPorts): Promise<void> {
  try {
    await files.remove(folder)
    await announce.removed(basename(folder))
  } catch {
    return
  }
}

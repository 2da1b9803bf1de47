import { basename, dirname, join } from 'node:path'
import { Failure } from '../../../domain/failure.js'
import type { Erased, Erasure } from '../../../domain/model.js'
import { folderOf, nextFolder } from '../data-folder/folder-names.js'
import { isFatal } from '../disk/errors.js'
import { flushedFolder } from '../disk/flush.js'
import type { GraphHome } from '../graph-files/journal.js'
import type { Surroundings } from '../graph-files/ports.js'
import { type Held, holdNothing } from '../open-graph/open-graph.js'
import { writeAnew } from '../open-graph/rebuild.js'
import { planErasure } from './erasure.js'
import { fillWithout } from './survivors.js'

/**
 * Erases from a graph that nobody writes to meanwhile. The rest is written into a folder of its own; one entry in the
 * manifest then makes that folder the graph and the old one a leftover, so that at every moment it is the one or the
 * other. Gives what is held from then on: the same when nothing was erased. The old folder is for the caller to remove.
 */
export async function eraseFrom(
  held: Held,
  around: Surroundings,
  what: Erasure,
  dryRun: boolean,
): Promise<{ readonly erased: Erased; readonly held: Held }> {
  const { erased, ids } = await planErasure(held.graph, what)
  if (dryRun) return { erased, held }
  around.refuseUnlessWritable()
  const { home } = held
  if ('everything' in what) {
    await around.announce.deleted(basename(home.folder))
    return { erased, held: holdNothing(elsewhere(home, folderOf(home.graph)), around) }
  }
  if (ids.size === 0) return { erased, held }
  const name = nextFolder(home.graph, basename(home.folder), around.chance.randomBytes(4))
  await around.announce.creating(name)
  const left = await writeAnew(elsewhere(home, name), around, (into) => fillWithout(into, held, ids))
  await announceCreated(left, around)
  return { erased, held: left }
}

/** From here on the graph is what was written anew; if not even that can be said for certain, nothing is removed. */
export async function announceCreated({ home, writer }: Held, { announce }: Surroundings): Promise<void> {
  try {
    await announce.created(basename(home.folder))
  } catch (error) {
    await writer.close()
    if (!isFatal(error)) await home.files.remove(home.folder).catch(() => undefined)
    throw error
  }
}

/** Removes the files of a graph that is elsewhere by now, for good. */
export async function removeFolder({ files, folder }: GraphHome): Promise<void> {
  try {
    await files.remove(folder)
  } catch (error) {
    throw new Failure(
      'storage_unavailable',
      'What was erased is in no answer any more, but a file that holds it could not be removed. The next start removes it.',
      { cause: error },
    )
  }
  await flushedFolder(files, dirname(folder))
}

function elsewhere(home: GraphHome, name: string): GraphHome {
  return { ...home, folder: join(dirname(home.folder), name) }
}

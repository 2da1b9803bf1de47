import { dirname, join, resolve } from 'node:path'
import { flushed, flushedFolder } from '../disk/durable.js'
import type { Files } from '../disk/files.js'

const CHUNK = 1024 * 1024

/** Where the data folder is copied to, as 0.1 left it, before its graphs are rewritten in the format of today. */
export function backupOf(folder: string): string {
  return `${resolve(folder)}.backup-0.1`
}

/**
 * Copies the data folder, but for the lock, to a folder beside it that only its owner may read. It has its name once it
 * is whole, and one that is there already is left as it is: a start that was cut short does not copy half of a move.
 */
export async function backUp(files: Files, folder: string): Promise<string> {
  const backup = backupOf(folder)
  if (files.identify(backup) !== undefined) return backup
  const temporary = `${backup}.tmp`
  await files.remove(temporary)
  await files.makeFolder(join(temporary, 'graphs'))
  const within = async (...path: string[]) => {
    for (const name of await files.list(join(folder, ...path)))
      if (!isLeftOut(name)) await copyFile(files, join(folder, ...path, name), join(temporary, ...path, name))
    await flushedFolder(files, join(temporary, ...path))
  }
  await within()
  for (const name of await files.list(join(folder, 'graphs'))) {
    await files.makeFolder(join(temporary, 'graphs', name))
    await within('graphs', name)
  }
  await flushedFolder(files, join(temporary, 'graphs'))
  await files.rename(temporary, backup)
  await flushedFolder(files, dirname(backup))
  return backup
}

/** Removes the backup of a data folder, a half-made one as well, for good. */
export async function dropBackup(
  files: Files,
  folder: string,
): Promise<{ readonly backup: string; readonly removed: boolean }> {
  const backup = backupOf(folder)
  const removed = files.identify(backup) !== undefined
  for (const path of [backup, `${backup}.tmp`]) await files.remove(path)
  await flushedFolder(files, dirname(backup))
  return { backup, removed }
}

function isLeftOut(name: string): boolean {
  return name === 'graphs' || name === 'lock' || name.startsWith('lock-') || name === 'lock.json'
}

async function copyFile(files: Files, from: string, to: string): Promise<void> {
  const source = await files.openToRead(from)
  try {
    const target = await files.openToAppend(to, true)
    try {
      const buffer = Buffer.allocUnsafe(CHUNK)
      for (let position = 0, read = 1; read > 0; position += read) {
        read = await source.read(buffer, position)
        if (read > 0) await target.append(buffer.subarray(0, read))
      }
      await flushed(target, to)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

import { dropBackup } from '../../log/file/data-folder/backup.js'
import { nodeFiles } from '../../log/file/disk/files.js'
import { EXITS } from '../output/exits.js'

/**
 * `loregraph backup drop`: removes the copy that was made before the data of 0.1 was brought over. Resolves to the exit
 * code: 0 removed, 66 there is none.
 */
export async function dropBackupOf(folder: string, print: (line: string) => void): Promise<number> {
  const { backup, removed } = await dropBackup(nodeFiles, folder)
  print(removed ? `Removed ${backup}.` : `There is no backup ${backup}.`)
  return removed ? EXITS.fine.code : EXITS.noInput.code
}

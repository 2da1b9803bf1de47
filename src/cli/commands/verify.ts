import { nodeFiles } from '../../log/file/disk/files.js'
import { isLocked } from '../../log/file/disk/lock.js'
import { type FolderReport, type Torn, verifyFolder } from '../../log/file/verify.js'
import { EXITS } from '../output/exits.js'
import { harmless } from '../output/terminal.js'

/**
 * `loregraph verify`: reads every byte of the data folder and says what is right and what is not. Changes nothing.
 * Resolves to the exit code: 0 intact, 3 an incomplete last write, 66 no such folder or not a data folder, 78 damaged.
 */
export async function verify(folder: string, print: (line: string) => void): Promise<number> {
  if (nodeFiles.identify(folder) === undefined) {
    print(`There is no folder ${folder}.`)
    return EXITS.noInput.code
  }
  const report = await verifyFolder(nodeFiles, folder)
  if (!report.isDataFolder) {
    print(`${folder} is no data folder. Choose another with --data.`)
    return EXITS.noInput.code
  }
  if (await isLocked(folder))
    print('A Loregraph is using this folder: a write under way may show as an incomplete last record.')
  for (const line of linesOf(report)) print(line)
  return exitCodeOf(report)
}

function* linesOf({
  broken,
  brokenKeys,
  brokenSecret,
  torn,
  graphs,
  strays,
}: FolderReport): Generator<string> {
  if (brokenKeys !== undefined)
    yield `DAMAGED  ${brokenKeys.file}: ${brokenKeys.why}. Restore it from a backup, or move it away and make new keys.`
  if (brokenSecret !== undefined)
    yield `DAMAGED  ${brokenSecret.file}: ${brokenSecret.why}. Delete it to have a new secret made at the next start.`
  if (broken !== undefined) {
    yield `DAMAGED  ${broken.file} at byte ${broken.offset}: ${broken.why}`
    yield 'Which graphs there are cannot be told. "loregraph repair" shows what can be saved.'
    return
  }
  if (torn !== undefined) yield tornLine(torn)
  for (const { graph, records, torn, broken } of graphs) {
    if (broken !== undefined)
      yield `DAMAGED  graph ${graph}: ${broken.file} at byte ${broken.offset}: ${broken.why}; ${records} records can be read before it`
    else if (torn !== undefined) yield `${tornLine(torn)} (graph ${graph}, ${records} records)`
    else yield `ok       graph ${graph}: ${records} records`
  }
  for (const { name, isGraph } of strays)
    yield isGraph
      ? `DAMAGED  graphs/${harmless(name)} is not in the manifest, but holds the files of a graph. It is left alone; move it away if it is not needed.`
      : `unknown  ${harmless(name)} is not in the manifest; it is left alone`
  if (graphs.length === 0) yield 'ok       no graphs'
  if (graphs.some(({ broken }) => broken !== undefined))
    yield '"loregraph repair" shows what can be saved and what would be lost.'
}

function tornLine({ file, offset, bytes }: Torn): string {
  return `torn     ${file} at byte ${offset}: the last ${bytes} bytes are an incomplete write that was never acknowledged; the next start cuts them off`
}

function exitCodeOf({ broken, brokenKeys, brokenSecret, torn, graphs, strays }: FolderReport): number {
  const isDamaged = [broken, brokenKeys, brokenSecret].some((damage) => damage !== undefined)
  if (isDamaged || graphs.some((graph) => graph.broken !== undefined)) return EXITS.config.code
  if (strays.some(({ isGraph }) => isGraph)) return EXITS.config.code
  return torn !== undefined || graphs.some((graph) => graph.torn !== undefined)
    ? EXITS.torn.code
    : EXITS.fine.code
}

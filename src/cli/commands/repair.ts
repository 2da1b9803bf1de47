import { randomBytes } from 'node:crypto'
import { nodeFiles, nodeFilesFor } from '../../log/file/disk/files.js'
import { lockFolder } from '../../log/file/disk/lock.js'
import { isDataFolder } from '../../log/file/recover.js'
import { type Finding, repairFolder } from '../../log/file/repair.js'
import { OpenError } from '../../store/open-error.js'
import { EXITS } from '../output/exits.js'

interface RepairOptions {
  /** Carry it out; otherwise only say what would be kept and what would be lost. */
  readonly truncate: boolean
  /** Our process, which the lock names. */
  readonly pid?: number
}

type Print = (line: string) => void

/**
 * `loregraph repair [--truncate]`: keeps each damaged graph up to the damage. Damaged files are set aside, never
 * deleted. Resolves to the exit code: 0 nothing is damaged any more, 66 no such folder or no data folder, 75 the folder is in
 * use, 78 something is still damaged.
 */
export async function repair(
  folder: string,
  { truncate, pid }: RepairOptions,
  print: Print,
): Promise<number> {
  if (nodeFiles.identify(folder) === undefined) {
    print(`There is no folder ${folder}.`)
    return EXITS.noInput.code
  }
  if (!(await isDataFolder(nodeFiles, folder))) {
    print(`${folder} is no data folder. Choose another with --data.`)
    return EXITS.noInput.code
  }
  try {
    const lock = await lockFolder(folder, pid)
    try {
      return await repairLocked(folder, truncate, print)
    } finally {
      await lock.release()
    }
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    print(error.message)
    return error.exitCode
  }
}

async function repairLocked(folder: string, truncate: boolean, print: Print): Promise<number> {
  const files = await nodeFilesFor(folder)
  let isDamaged = false
  let wouldHelp = false
  for await (const finding of repairFolder({ files, folder, randomBytes }, truncate)) {
    for (const line of linesOf(finding, truncate)) print(line)
    const canBeRepaired =
      finding.kind === 'manifest' || (finding.kind === 'graph' && finding.salvage !== undefined)
    if (!truncate || !canBeRepaired) isDamaged = true
    wouldHelp ||= canBeRepaired
  }
  if (!isDamaged) print('Nothing is damaged.')
  else if (!truncate && wouldHelp)
    print('Nothing was changed. Run "loregraph repair --truncate" to carry this out.')
  return isDamaged ? EXITS.config.code : EXITS.fine.code
}

function* linesOf(finding: Finding, isDone: boolean): Generator<string> {
  if (finding.kind === 'other version') yield finding.why
  else if (finding.kind === 'unknown')
    yield `The folder graphs/${finding.name} holds files of a graph that cannot be recognised, or that another folder holds as well. It is kept as it is; move it away if it is not needed.`
  else if (finding.kind === 'manifest') {
    const { broken, graphs } = finding
    yield `${broken.file}: ${broken.why}. The graphs found beside it: ${graphs.join(', ') || 'none'}.`
    yield isDone ? 'The manifest was rewritten.' : 'With --truncate the manifest is rewritten from these.'
  } else {
    const { graph, broken, salvage } = finding
    yield `Graph ${graph}: ${broken.file} is damaged at byte ${broken.offset}: ${broken.why}.`
    if (salvage === undefined) {
      yield '  Its beginning is gone, so nothing can be kept. Restore it from a backup.'
      return
    }
    yield `  ${isDone ? 'Kept' : 'Would keep'}: the first ${salvage.records} records. ${isDone ? 'Lost' : 'Would lose'}: the damaged record, ${salvage.lost} readable records after it, and any that can no longer be seen.`
    if (isDone) yield '  The damaged files were set aside beside the new ones.'
  }
}

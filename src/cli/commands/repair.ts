import { writeManifest } from '../../log/file/data-folder/manifest.js'
import { findGraphs, planRepair, setAside } from '../../log/file/data-folder/repair.js'
import { verifyFolder } from '../../log/file/data-folder/verify.js'
import { nodeFiles } from '../../log/file/disk/files.js'
import { lockFolder } from '../../log/file/disk/lock.js'
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
 * deleted. Resolves to the exit code: 0 nothing is damaged any more, 66 no such folder, 75 the folder is in use,
 * 78 something is still damaged.
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
  try {
    const lock = await lockFolder(folder, pid)
    try {
      const manifest = await repairManifest(folder, truncate, print)
      return manifest === EXITS.fine.code ? await repairGraphs(folder, truncate, print) : manifest
    } finally {
      await lock.release()
    }
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    print(error.message)
    return error.exitCode
  }
}

/** The manifest says nothing that the graphs do not say themselves, so that it can be rewritten without loss. */
async function repairManifest(folder: string, truncate: boolean, print: Print): Promise<number> {
  const { broken } = await verifyFolder(nodeFiles, folder)
  if (broken === undefined) return EXITS.fine.code
  const { graphs, others } = await findGraphs(nodeFiles, folder)
  for (const name of others) print(`The folder ${name} cannot be recognised as a graph; it is left alone.`)
  const names = [...graphs.keys()].join(', ') || 'none'
  print(`${broken.file}: ${broken.why}. The graphs found beside it: ${names}.`)
  if (!truncate) {
    print('With --truncate the manifest is rewritten from these; nothing is lost.')
    return EXITS.config.code
  }
  await setAside(nodeFiles, broken.file)
  await writeManifest(nodeFiles, broken.file, graphs)
  print('The manifest was rewritten.')
  return EXITS.fine.code
}

async function repairGraphs(folder: string, truncate: boolean, print: Print): Promise<number> {
  let exitCode: number = EXITS.fine.code
  for (const { graph, folder: home, broken } of (await verifyFolder(nodeFiles, folder)).graphs) {
    if (broken === undefined) continue
    print(`Graph ${graph}: ${broken.file} is damaged at byte ${broken.offset}: ${broken.why}.`)
    const plan = await planRepair({ files: nodeFiles, fence: () => undefined, graph, folder: home })
    if (plan === undefined) {
      print('  Its beginning is gone, so nothing can be kept. Restore it from a backup.')
      exitCode = EXITS.config.code
      continue
    }
    print(
      `  ${truncate ? 'Kept' : 'Would keep'}: the first ${plan.keeps} records. ${truncate ? 'Lost' : 'Would lose'}: the damaged record, ${plan.loses} readable records after it, and any that can no longer be seen.`,
    )
    if (truncate) {
      await plan.carryOut()
      print('  The damaged files were set aside beside the new ones.')
    } else exitCode = EXITS.config.code
  }
  if (exitCode === EXITS.fine.code) print('Nothing is damaged.')
  else if (!truncate) print('Nothing was changed. Run "loregraph repair --truncate" to carry this out.')
  return exitCode
}

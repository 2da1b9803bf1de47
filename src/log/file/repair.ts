import { basename, join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import { flushFolder } from './disk/durable.js'
import { type Broken, OtherVersion } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { type FolderOrigin, isLater, nextFolder, originOf } from './folder-names.js'
import { decodeLine, isIntact, isLogHeader } from './frame.js'
import { markAndRemove } from './graph-file.js'
import { type GraphHome, homeIn, journalPath, nameOf, snapshotPath } from './journal.js'
import { foldersNamedIn, Manifest, type ManifestContents, scanManifest } from './manifest.js'
import { markClosed, removeEarlierNumbers, takeNumber } from './recover.js'
import { isDamagedCopy, writeGraph } from './rewrite.js'
import { frameIn, type LogLine, linesIn } from './scan.js'
import { withoutComma } from './snapshot.js'
import { type GraphReport, mayBeGraph, verifyFolder, verifyGraph } from './verify.js'

export interface RepairPorts {
  readonly files: Files
  readonly folder: string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Something damaged, and what the repair did about it, or would do. */
export type Finding =
  | { readonly kind: 'other version'; readonly why: string }
  | { readonly kind: 'manifest'; readonly broken: Broken; readonly graphs: readonly GraphId[] }
  /** A folder that may hold a graph, but whose name or files cannot be read. The repair leaves it alone. */
  | { readonly kind: 'unknown'; readonly name: string }
  | {
      readonly kind: 'graph'
      readonly graph: GraphId
      readonly broken: Broken
      readonly salvage: Salvage | undefined
    }

/** What a repair can keep of a damaged graph. */
export interface Salvage {
  readonly records: number
  /** Readable records that are dropped because something before them is missing. */
  readonly lost: number
}

/**
 * Finds the damage in a locked data folder. If `truncate` is set, repairs it: each damaged graph is written up to the damage
 * into a new folder, and its damaged files are kept beside the new ones. Safe to run again after an interruption. Yields each
 * finding after handling it.
 */
export async function* repairFolder(ports: RepairPorts, truncate: boolean): AsyncGenerator<Finding> {
  const { files, folder } = ports
  const { broken, graphs, strays } = await verifyFolder(files, folder)
  if (broken instanceof OtherVersion) return yield { kind: 'other version', why: broken.message }
  // If the manifest is damaged, the graphs are those found in the folders.
  const found = broken && (await findGraphs(files, folder))
  let manifest: Manifest | undefined
  try {
    if (broken !== undefined && found !== undefined) {
      if (truncate) {
        await keepDamagedCopy(files, broken.file, broken.file)
        manifest = await rewriteManifest(files, folder, contentsOf(found))
      }
      yield { kind: 'manifest', broken, graphs: found.graphs.map(({ graph }) => graph) }
    }
    for (const { graph, folder: path, broken, epoch } of found?.graphs ?? graphs) {
      if (broken === undefined) continue
      if (broken instanceof OtherVersion) {
        yield { kind: 'other version', why: broken.message }
        continue
      }
      const home = { files, graph, folder: path }
      const salvage = await salvageOf(home)
      if (truncate && salvage.records > 0) {
        manifest ??= await rewriteManifest(files, folder, await scanManifest(files, folder))
        await salvageGraph(ports, manifest, home, epoch, salvage.records)
      }
      yield { kind: 'graph', graph, broken, salvage: salvage.records > 0 ? salvage : undefined }
    }
  } finally {
    await manifest?.close()
  }
  if (manifest !== undefined) await markClosed(files, folder, manifest.owner)
  const unknown = found?.unknown ?? strays.flatMap(({ name, isGraph }) => (isGraph ? [name] : []))
  for (const name of unknown) yield { kind: 'unknown', name }
}

/** Replaces the manifest by one of a new owner. */
async function rewriteManifest(
  files: Files,
  folder: string,
  contents: ManifestContents | undefined,
): Promise<Manifest> {
  const owner = await takeNumber(files, folder)
  const manifest = new Manifest(files, folder, owner, contents)
  await manifest.rewrite()
  await removeEarlierNumbers(files, folder, owner)
  return manifest
}

/** Links a damaged file to a name that is never overwritten. */
async function keepDamagedCopy(files: Files, path: string, as: string): Promise<void> {
  const identity = files.identify(path)
  if (identity === undefined) return
  for (let number = 1; ; number++) {
    const aside = `${as}.damaged-${number}`
    const existing = files.identify(aside)
    if (existing?.inode === identity.inode) return
    if (existing !== undefined) continue
    await files.link(path, aside)
    return
  }
}

/** Writes the readable records into a new folder, which becomes the folder of the graph. Damaged files are linked into it. */
async function salvageGraph(
  { files, folder, randomBytes }: RepairPorts,
  manifest: Manifest,
  from: GraphHome,
  epoch: string,
  records: number,
): Promise<void> {
  const { graph } = from
  const to = homeIn(files, folder, graph, nextFolder(graph, nameOf(from), manifest.owner, randomBytes(4)))
  await manifest.recordCreating(graph, nameOf(to))
  await writeGraph(to, records, intactLines(from))
  for (const name of await files.list(from.folder))
    if (isDamagedCopy(name)) await files.link(join(from.folder, name), join(to.folder, name))
  await keepDamagedCopy(files, journalPath(from), journalPath(to))
  await keepDamagedCopy(files, snapshotPath(from), snapshotPath(to))
  await flushFolder(files, to.folder)
  // A new epoch, so that no reader resumes from a position that was lost.
  const location = { folder: nameOf(to), epoch: `${epoch}+${Buffer.from(randomBytes(8)).toString('hex')}` }
  await manifest.recordCreated(graph, location)
  await markAndRemove(files, from.folder)
  await manifest.rewrite([nameOf(from)])
}

async function salvageOf(home: GraphHome): Promise<Salvage> {
  let records = 0
  let lost = 0
  const addLost = (count: number) => {
    lost += count
  }
  for await (const lines of intactLines(home, addLost)) for (const { count } of lines) records += count
  return { records, lost }
}

/**
 * The intact frames from the start of a graph up to the first gap. Reads the snapshot and the journal; if one is missing, the
 * latest damaged copy of it. Calls `onLost` with the number of records in each readable line after the gap.
 */
async function* intactLines(
  home: GraphHome,
  onLost: (records: number) => void = () => undefined,
): AsyncGenerator<readonly LogLine[]> {
  const { files } = home
  let last = 0
  let isOver = false
  for (const path of [snapshotPath(home), journalPath(home)]) {
    const source =
      files.identify(path) === undefined ? await latestDamagedCopy(files, home.folder, basename(path)) : path
    if (source === undefined) continue
    let isDamaged = false
    for await (const lines of linesIn(files, source))
      for (const line of lines) {
        const frame = frameIn(withoutComma(line))
        if (frame === undefined) isDamaged ||= line.offset > 0
        else if (frame.seq <= last) continue
        else if (isOver || isDamaged || frame.seq !== last + 1) {
          onLost(frame.count)
          isOver = true
        } else {
          last += frame.count
          yield [frame]
        }
      }
  }
}

async function latestDamagedCopy(files: Files, folder: string, name: string): Promise<string | undefined> {
  const numbers = (await files.list(folder)).flatMap((file) =>
    file.startsWith(`${name}.damaged-`) ? Number(file.slice(`${name}.damaged-`.length)) : [],
  )
  return numbers.length === 0 ? undefined : join(folder, `${name}.damaged-${Math.max(...numbers)}`)
}

/** The graphs according to their folders, used when the manifest is damaged. */
interface FoundGraphs {
  readonly graphs: readonly GraphReport[]
  /** Folders with an earlier state of one of the graphs, or with no graph. The next start removes them. */
  readonly leftovers: ReadonlyMap<string, GraphId>
  /** Folders whose graph cannot be determined, or that may still be needed. */
  readonly unknown: readonly string[]
}

function contentsOf({ graphs, leftovers }: FoundGraphs): ManifestContents {
  const locations = graphs.map(
    ({ graph, folder, epoch }) => [graph, { folder: basename(folder), epoch }] as const,
  )
  return { graphs: new Map(locations), leftovers }
}

interface Candidate {
  readonly name: string
  readonly origin: FolderOrigin
  readonly report: GraphReport
  readonly hasSnapshot: boolean
}

async function findGraphs(files: Files, folder: string): Promise<FoundGraphs> {
  const named = await foldersNamedInManifests(files, folder)
  const candidates = new Map<GraphId, Candidate[]>()
  const leftovers = new Map<string, GraphId>()
  const unknown: string[] = []
  for (const name of await files.list(join(folder, 'graphs'))) {
    const path = join(folder, 'graphs', name)
    if (!(await mayBeGraph(files, path))) {
      const graph = named.get(name)
      if (graph !== undefined) leftovers.set(name, graph)
      continue
    }
    const ids = [...(await graphsNamedIn(files, path)), named.get(name)]
    // The folder name contains a hash of the graph id, which proves the id.
    const graph = ids.find((graph) => graph !== undefined && originOf(graph, name) !== undefined)
    const origin = graph === undefined ? undefined : originOf(graph, name)
    if (graph === undefined || origin === undefined) unknown.push(name)
    else {
      const home = homeIn(files, folder, graph, name)
      const hasSnapshot = files.identify(snapshotPath(home)) !== undefined
      const candidate = { name, origin, hasSnapshot, report: await verifyGraph(home, `${name}+`) }
      candidates.set(graph, [...(candidates.get(graph) ?? []), candidate])
    }
  }
  const graphs: GraphReport[] = []
  for (const [graph, all] of candidates) {
    const best = all.reduce((a, b) => (isBetter(b, a) ? b : a))
    graphs.push(best.report)
    for (const candidate of all) {
      if (candidate === best) continue
      // A folder older than an intact one holds no further records, but may hold erased ones.
      if (isUndamaged(best) && isLater(best.origin, candidate.origin)) leftovers.set(candidate.name, graph)
      else unknown.push(candidate.name)
    }
  }
  return { graphs, leftovers, unknown }
}

/** Prefers intact candidates, and among them the one written last. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (isUndamaged(a) !== isUndamaged(b)) return isUndamaged(a)
  // Loregraph 0.2 left unfinished journals of erasures and imports behind. A complete graph has at least as many records.
  const [inA, inB] = [a.report.records, b.report.records]
  if (isUndamaged(a) && isComplete(a) !== isComplete(b) && inA !== inB) return inA > inB
  return isLater(a.origin, b.origin)
}

function isUndamaged({ report }: Candidate): boolean {
  return report.broken === undefined
}

/** Is the folder certainly no unfinished one? */
function isComplete({ origin, hasSnapshot }: Candidate): boolean {
  return origin.rewrites === 0 || hasSnapshot
}

async function foldersNamedInManifests(files: Files, folder: string): Promise<ReadonlyMap<string, GraphId>> {
  const found = new Map<string, GraphId>()
  for (const name of await files.list(folder))
    if (/^manifest(\.\d+)?\.ndjson(\.damaged-\d+)?$/.test(name))
      for (const [graphFolder, graph] of await foldersNamedIn(files, join(folder, name)))
        found.set(graphFolder, graph)
  return found
}

/** The graph ids in the first lines of the files in a folder. */
async function graphsNamedIn(files: Files, folder: string): Promise<GraphId[]> {
  const found: GraphId[] = []
  for (const name of await files.list(folder)) {
    if (!/^(journal\.ndjson|snapshot\.json)/.test(name) || name.endsWith('.tmp')) continue
    for await (const [first] of linesIn(files, join(folder, name))) {
      if (first !== undefined) found.push(...graphNamed(first.bytes))
      break
    }
  }
  return found
}

/** The graph id in the first line of a file, which may be damaged. */
function graphNamed(line: Buffer): GraphId[] {
  if (isIntact(line)) {
    const header = decodeLine(line)
    return isLogHeader(header) ? [header.log.replace(/^graph /, '')] : []
  }
  try {
    const { graph } = JSON.parse(`${line.toString()}]}`) as { readonly graph?: unknown }
    return typeof graph === 'string' ? [graph] : []
  } catch {
    return []
  }
}

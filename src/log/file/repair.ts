import { basename, join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import { flushFolder } from './disk/durable.js'
import { Broken, OtherVersion } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { type FolderOrigin, isLater, nextFolder, originOf } from './folder-names.js'
import { decodeLine, headOf, isIntact, isLogHeader } from './frame.js'
import { markAndRemove } from './graph-file.js'
import {
  createJournal,
  type GraphHome,
  journalPath,
  nameOf,
  readGraph,
  siblingHome,
  snapshotPath,
} from './journal.js'
import {
  foldersNamedIn,
  type GraphLocation,
  Manifest,
  type ManifestContents,
  scanManifest,
} from './manifest.js'
import { markClosed, removeEarlierNumbers, takeNumber } from './recover.js'
import { isDamagedCopy } from './rewrite.js'
import { type LogLine, linesOf } from './scan.js'
import { COMMA, SnapshotFile } from './snapshot.js'
import { mayBeGraph, verifyFolder } from './verify.js'

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
  const { broken } = await verifyFolder(files, folder)
  if (broken instanceof OtherVersion) return yield { kind: 'other version', why: broken.message }
  const found = broken === undefined ? undefined : await findGraphs(files, folder)
  let manifest: Manifest | undefined
  try {
    if (broken !== undefined && found !== undefined) {
      if (truncate) manifest = await replaceManifest(ports, broken, found)
      yield { kind: 'manifest', broken, graphs: [...found.graphs.keys()] }
    }
    // If the manifest is damaged, the graphs are those found in the folders.
    for (const { graph, home, broken, epoch } of await damageIn(ports, found)) {
      if (broken instanceof OtherVersion) {
        yield { kind: 'other version', why: broken.message }
        continue
      }
      const salvage = await salvageOf(home)
      if (truncate && salvage.records > 0) {
        manifest ??= await takeOverManifest(ports)
        await salvageGraph(ports, manifest, home, epoch)
      }
      yield { kind: 'graph', graph, broken, salvage: salvage.records > 0 ? salvage : undefined }
    }
  } finally {
    await manifest?.close()
  }
  if (manifest !== undefined) await markClosed(files, folder, manifest.owner)
  const { strays } = await verifyFolder(files, folder)
  const unknown = found?.unknown ?? strays.flatMap(({ name, isGraph }) => (isGraph ? [name] : []))
  for (const name of unknown) yield { kind: 'unknown', name }
}

interface Damaged {
  readonly graph: GraphId
  readonly home: GraphHome
  readonly broken: Broken
  readonly epoch: string
}

async function damageIn({ files, folder }: RepairPorts, found: FoundGraphs | undefined): Promise<Damaged[]> {
  const { graphs } = found ?? {
    graphs: (await scanManifest(files, folder))?.graphs ?? new Map<GraphId, GraphLocation>(),
  }
  const damaged: Damaged[] = []
  for (const [graph, { folder: name, epoch }] of graphs) {
    const home = homeIn(files, folder, graph, name)
    const broken = await damageOf(home)
    if (broken !== undefined) damaged.push({ graph, home, broken, epoch })
  }
  return damaged
}

async function damageOf(home: GraphHome): Promise<Broken | undefined> {
  try {
    await readGraph(home, () => undefined)
    return undefined
  } catch (error) {
    if (error instanceof Broken) return error
    throw error
  }
}

function homeIn(files: Files, folder: string, graph: GraphId, name: string): GraphHome {
  return { files, fence: () => undefined, graph, folder: join(folder, 'graphs', name) }
}

/** Replaces the manifest of the last owner by one of a new owner. */
async function takeOverManifest({ files, folder }: RepairPorts): Promise<Manifest> {
  return rewriteManifest(files, folder, await scanManifest(files, folder))
}

async function rewriteManifest(
  files: Files,
  folder: string,
  contents: ManifestContents | undefined,
): Promise<Manifest> {
  const owner = await takeNumber(files, folder)
  const manifest = new Manifest(files, () => undefined, folder, owner, contents)
  try {
    await manifest.rewrite()
    await removeEarlierNumbers(files, folder, owner)
    return manifest
  } catch (error) {
    await manifest.close()
    throw error
  }
}

/** Rewrites the manifest from the folders, and keeps a copy of the damaged one. */
async function replaceManifest(
  { files, folder }: RepairPorts,
  broken: Broken,
  { graphs, leftovers }: FoundGraphs,
): Promise<Manifest> {
  await keepDamagedCopy(files, broken.file, broken.file)
  return rewriteManifest(files, folder, { graphs, leftovers })
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
  { files, randomBytes }: RepairPorts,
  manifest: Manifest,
  from: GraphHome,
  epoch: string,
): Promise<void> {
  const to = siblingHome(from, nextFolder(from.graph, nameOf(from), manifest.owner, randomBytes(4)))
  await manifest.recordCreating(from.graph, nameOf(to))
  await files.makeFolder(to.folder)
  const { through } = await salvageOf(from)
  const snapshot = new SnapshotFile(files, snapshotPath(to))
  const lines = () => intactLines(from)
  await snapshot.write({ format: 2, graph: from.graph, through, lines })
  const journal = await createJournal(to, through, async () => undefined)
  await journal.close()
  for (const name of await files.list(from.folder))
    if (isDamagedCopy(name)) await files.link(join(from.folder, name), join(to.folder, name))
  await keepDamagedCopy(files, journalPath(from), journalPath(to))
  await keepDamagedCopy(files, snapshotPath(from), snapshotPath(to))
  await flushFolder(files, to.folder)
  // A new epoch, so that no reader resumes from a position that was lost.
  const location = { folder: nameOf(to), epoch: `${epoch}+${Buffer.from(randomBytes(8)).toString('hex')}` }
  await manifest.recordCreated(from.graph, location)
  await markAndRemove(files, from.folder)
  await manifest.rewrite([nameOf(from)])
}

async function salvageOf(home: GraphHome): Promise<Salvage & { readonly through: number }> {
  let lost = 0
  let through = 0
  const addLost = (records: number) => {
    lost += records
  }
  for await (const lines of intactLines(home, addLost))
    for (const { seq, count } of lines) through = seq + count - 1
  return { records: through, through, lost }
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
    for await (const { line, offset } of framesOf(files, source)) {
      const head = line && headOf(line)
      if (line === undefined || head === undefined) isDamaged ||= offset > 0
      else if (head.seq <= last) continue
      else if (isOver || isDamaged || head.seq !== last + 1) {
        onLost(head.count)
        isOver = true
      } else {
        last += head.count
        yield [{ ...head, offset, bytes: line }]
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

/** The frame in each line of a snapshot or journal; undefined for a line that holds no intact frame. */
async function* framesOf(
  files: Files,
  path: string,
): AsyncGenerator<{ readonly line: Buffer | undefined; readonly offset: number }> {
  const file = await files.openToRead(path)
  try {
    for await (const lines of linesOf(file))
      for (const { offset, bytes } of lines) {
        const line = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes
        yield { offset, line: isIntact(line) ? line : undefined }
      }
  } finally {
    await file.close()
  }
}

/** The graphs according to their folders, used when the manifest is damaged. */
interface FoundGraphs {
  readonly graphs: ReadonlyMap<GraphId, GraphLocation>
  /** Folders with an earlier state of one of the graphs, or with no graph. The next start removes them. */
  readonly leftovers: ReadonlyMap<string, GraphId>
  /** Folders whose graph cannot be determined, or that may still be needed. */
  readonly unknown: readonly string[]
}

interface Candidate {
  readonly name: string
  readonly origin: FolderOrigin
  /** The last position; undefined when it is damaged. */
  readonly position: number | undefined
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
      const candidate = await candidateIn(homeIn(files, folder, graph, name), origin)
      candidates.set(graph, [...(candidates.get(graph) ?? []), candidate])
    }
  }
  const graphs = new Map<GraphId, GraphLocation>()
  for (const [graph, all] of candidates) {
    const best = all.reduce((a, b) => (isBetter(b, a) ? b : a))
    graphs.set(graph, { folder: best.name, epoch: `${best.name}+` })
    for (const candidate of all) {
      if (candidate === best) continue
      const isEarlier = best.position !== undefined && isLater(best.origin, candidate.origin)
      // A folder older than an intact one holds no further records, but may hold erased ones.
      if (isEarlier) leftovers.set(candidate.name, graph)
      else unknown.push(candidate.name)
    }
  }
  return { graphs, leftovers, unknown }
}

/** Prefers intact candidates, and among them the one written last. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if ((a.position === undefined) !== (b.position === undefined)) return a.position !== undefined
  const [isAWhole, isBWhole] = [isRewritten(a), isRewritten(b)]
  // Loregraph 0.2 left unfinished journals of erasures and imports behind. A complete graph has at least as many records.
  if (isAWhole !== isBWhole && a.position !== b.position) return (a.position ?? 0) > (b.position ?? 0)
  return isLater(a.origin, b.origin)
}

function isRewritten({ origin, hasSnapshot }: Candidate): boolean {
  return origin.rewrites === 0 || hasSnapshot
}

async function candidateIn(home: GraphHome, origin: FolderOrigin): Promise<Candidate> {
  const hasSnapshot = home.files.identify(snapshotPath(home)) !== undefined
  const name = nameOf(home)
  try {
    const { journal, snapshot } = await readGraph(home, () => undefined)
    return { name, origin, hasSnapshot, position: Math.max(journal.lastSeq, snapshot.through) }
  } catch (error) {
    if (error instanceof Broken) return { name, origin, hasSnapshot, position: undefined }
    throw error
  }
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
    const file = await files.openToRead(join(folder, name))
    try {
      for await (const [first] of linesOf(file)) {
        if (first !== undefined) found.push(...graphNamed(first.bytes))
        break
      }
    } finally {
      await file.close()
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

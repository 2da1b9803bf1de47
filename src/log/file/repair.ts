import { basename, join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import { flushedFolder } from './disk/durable.js'
import { Broken, OtherVersion } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { isLater, type Made, nextFolder, whenMade } from './folder-names.js'
import { decodeLine, headOf, isIntact, isLogHeader } from './frame.js'
import { removeMarked } from './graph-file.js'
import {
  createJournal,
  elsewhere,
  type GraphHome,
  journalPath,
  nameOf,
  readGraph,
  snapshotPath,
} from './journal.js'
import { foldersNamedIn, type GraphPlace, Manifest, scanManifest } from './manifest.js'
import { markClosed, removeEarlierNumbers, takeNumber } from './recover.js'
import { isSetAside } from './rewrite.js'
import { type LogLine, linesOf } from './scan.js'
import { SnapshotFile } from './snapshot.js'
import { mayBeGraph, verifyFolder } from './verify.js'

/** What a repair may use. */
export interface RepairPorts {
  readonly files: Files
  readonly folder: string
  readonly randomBytes: (size: number) => Uint8Array
}

/** What was damaged, and what became of it or would become. */
export type Finding =
  | { readonly kind: 'other version'; readonly why: string }
  | { readonly kind: 'manifest'; readonly broken: Broken; readonly graphs: readonly GraphId[] }
  /** A folder that may hold a graph whose name cannot be read, or whose files cannot; it is kept as it is. */
  | { readonly kind: 'unknown'; readonly name: string }
  | {
      readonly kind: 'graph'
      readonly graph: GraphId
      readonly broken: Broken
      readonly keeps: Kept | undefined
    }

/** What of a graph can be read. */
export interface Kept {
  readonly records: number
  /** Records that can be seen and go; there may have been others that cannot be seen any more. */
  readonly lost: number
}

/**
 * Finds what is damaged in a data folder that is locked and, if `truncate` is set, repairs it: each damaged graph is kept up to
 * the damage, in a new folder, and its damaged files stay beside the new ones. Whenever this is cut short, it can be run again.
 * Each finding is given once it was dealt with.
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
    // Without the manifest, the graphs are those that were found.
    for (const { graph, home, broken, epoch } of await damagedIn(ports, found)) {
      if (broken instanceof OtherVersion) {
        yield { kind: 'other version', why: broken.message }
        continue
      }
      const keeps = await readable(home)
      if (truncate && keeps.records > 0) {
        manifest ??= await ownManifest(ports)
        await keepReadable(ports, manifest, home, epoch)
      }
      yield { kind: 'graph', graph, broken, keeps: keeps.records > 0 ? keeps : undefined }
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

async function damagedIn({ files, folder }: RepairPorts, found: FoundGraphs | undefined): Promise<Damaged[]> {
  const { graphs } = found ?? {
    graphs: (await scanManifest(files, folder))?.graphs ?? new Map<GraphId, GraphPlace>(),
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

/** A manifest of a new owner in the place of the last one. */
async function ownManifest({ files, folder }: RepairPorts): Promise<Manifest> {
  const scan = await scanManifest(files, folder)
  const owner = await takeNumber(files, folder)
  const manifest = new Manifest(files, () => undefined, folder, owner, scan)
  await manifest.rewrite()
  await removeEarlierNumbers(files, folder, owner)
  return manifest
}

/** Writes the manifest anew from what the folders say. The damaged one keeps a second name. */
async function replaceManifest(
  { files, folder }: RepairPorts,
  broken: Broken,
  { graphs, leftovers }: FoundGraphs,
): Promise<Manifest> {
  await linkAside(files, broken.file, broken.file)
  const owner = await takeNumber(files, folder)
  const scan = { graphs, leftovers, owner, path: '', size: 0, lastSeq: 0, ending: { kind: 'whole' as const } }
  const manifest = new Manifest(files, () => undefined, folder, owner, scan)
  await manifest.rewrite()
  await removeEarlierNumbers(files, folder, owner)
  return manifest
}

/** Gives a file a second name, under which it is kept. */
async function linkAside(files: Files, path: string, as: string): Promise<void> {
  const identity = files.identify(path)
  if (identity === undefined) return
  for (let number = 1; ; number++) {
    const aside = `${as}.damaged-${number}`
    const there = files.identify(aside)
    if (there?.inode === identity.inode) return
    if (there !== undefined) continue
    await files.link(path, aside)
    return
  }
}

/** Writes what can be read into a new folder, which then becomes the graph; the damaged files go along. */
async function keepReadable(
  { files, randomBytes }: RepairPorts,
  manifest: Manifest,
  from: GraphHome,
  epoch: string,
): Promise<void> {
  const to = elsewhere(from, nextFolder(from.graph, nameOf(from), manifest.owner, randomBytes(4)))
  await manifest.creating(from.graph, nameOf(to))
  await files.makeFolder(to.folder)
  const { through } = await readable(from)
  const snapshot = new SnapshotFile(files, snapshotPath(to))
  const lines = () => intactLines(from, { lost: 0 })
  await snapshot.write({ format: 2, graph: from.graph, through, lines })
  const journal = await createJournal(to, through, async () => undefined)
  await journal.close()
  for (const name of await files.list(from.folder))
    if (isSetAside(name)) await files.link(join(from.folder, name), join(to.folder, name))
  await linkAside(files, journalPath(from), journalPath(to))
  await linkAside(files, snapshotPath(from), snapshotPath(to))
  await flushedFolder(files, to.folder)
  // What was read before may be lost, so nobody goes on from it.
  const place = { folder: nameOf(to), epoch: `${epoch}+${Buffer.from(randomBytes(8)).toString('hex')}` }
  await manifest.created(from.graph, place)
  await removeMarked(files, from.folder)
  await manifest.rewrite([nameOf(from)])
}

/** How much of a graph can be read. */
async function readable(home: GraphHome): Promise<Kept & { readonly through: number }> {
  const seen = { lost: 0 }
  let through = 0
  for await (const lines of intactLines(home, seen))
    for (const { seq, count } of lines) through = seq + count - 1
  return { records: through, through, lost: seen.lost }
}

/**
 * The intact frames at the start of a graph that follow each other, from the snapshot and the journal, or from what an earlier
 * repair set aside where they are missing. `seen.lost` is how many records come after those.
 */
async function* intactLines(home: GraphHome, seen: { lost: number }): AsyncGenerator<readonly LogLine[]> {
  const { files } = home
  let last = 0
  let isOver = false
  seen.lost = 0
  for (const path of [snapshotPath(home), journalPath(home)]) {
    const there =
      files.identify(path) === undefined ? await latestAside(files, home.folder, basename(path)) : path
    if (there === undefined) continue
    let isDamaged = false
    for await (const { line, offset } of framesOf(files, there)) {
      const head = line && headOf(line)
      if (line === undefined || head === undefined) isDamaged ||= offset > 0
      else if (head.seq <= last) continue
      else if (isOver || isDamaged || head.seq !== last + 1) {
        seen.lost += head.count
        isOver = true
      } else {
        last += head.count
        yield [{ ...head, offset, bytes: line }]
      }
    }
  }
}

async function latestAside(files: Files, folder: string, name: string): Promise<string | undefined> {
  const numbers = (await files.list(folder)).flatMap((file) =>
    file.startsWith(`${name}.damaged-`) ? Number(file.slice(`${name}.damaged-`.length)) : [],
  )
  return numbers.length === 0 ? undefined : join(folder, `${name}.damaged-${Math.max(...numbers)}`)
}

/** Every line of a snapshot or journal as the frame that it is, or undefined where it is none. */
async function* framesOf(
  files: Files,
  path: string,
): AsyncGenerator<{ readonly line: Buffer | undefined; readonly offset: number }> {
  const file = await files.openToRead(path)
  try {
    for await (const lines of linesOf(file))
      for (const { offset, bytes } of lines) {
        const line = bytes.at(-1) === 0x2c ? bytes.subarray(0, -1) : bytes
        yield { offset, line: isIntact(line) ? line : undefined }
      }
  } finally {
    await file.close()
  }
}

/** The graphs that the folders themselves say, for when the manifest cannot. */
interface FoundGraphs {
  readonly graphs: ReadonlyMap<GraphId, GraphPlace>
  /** Folders that hold an earlier state of one of those, or none at all: the next start removes them. */
  readonly leftovers: ReadonlyMap<string, GraphId>
  /** Folders with files of a graph that cannot be told, or of which it is not certain that they are not needed. */
  readonly unknown: readonly string[]
}

interface Candidate {
  readonly name: string
  readonly made: Made
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
    const said = [...(await graphsNamedIn(files, path)), named.get(name)]
    // The name of a folder proves whose it is.
    const graph = said.find((graph) => graph !== undefined && whenMade(graph, name) !== undefined)
    const made = graph === undefined ? undefined : whenMade(graph, name)
    if (graph === undefined || made === undefined) unknown.push(name)
    else {
      const one = await candidateIn(homeIn(files, folder, graph, name), made)
      candidates.set(graph, [...(candidates.get(graph) ?? []), one])
    }
  }
  const graphs = new Map<GraphId, GraphPlace>()
  for (const [graph, all] of candidates) {
    const best = all.reduce((a, b) => (isBetter(b, a) ? b : a))
    graphs.set(graph, { folder: best.name, epoch: `${best.name}+` })
    for (const one of all) {
      if (one === best) continue
      const isEarlier = best.position !== undefined && isLater(best.made, one.made)
      // One that is older than a whole one holds nothing more, but may hold what was erased.
      if (isEarlier) leftovers.set(one.name, graph)
      else unknown.push(one.name)
    }
  }
  return { graphs, leftovers, unknown }
}

/** The one that was written last, of those that are whole. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if ((a.position === undefined) !== (b.position === undefined)) return a.position !== undefined
  const [isAWhole, isBWhole] = [isRewritten(a), isRewritten(b)]
  // 0.2 left journals behind that an erasure or an import had not finished. A graph that was taken over has as many records at least.
  if (isAWhole !== isBWhole && a.position !== b.position) return (a.position ?? 0) > (b.position ?? 0)
  return isLater(a.made, b.made)
}

function isRewritten({ made, hasSnapshot }: Candidate): boolean {
  return made.turn === 0 || hasSnapshot
}

async function candidateIn(home: GraphHome, made: Made): Promise<Candidate> {
  const hasSnapshot = home.files.identify(snapshotPath(home)) !== undefined
  const name = nameOf(home)
  try {
    const { journal, snapshot } = await readGraph(home, () => undefined)
    return { name, made, hasSnapshot, position: Math.max(journal.lastSeq, snapshot.through) }
  } catch (error) {
    if (error instanceof Broken) return { name, made, hasSnapshot, position: undefined }
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

/** The ids of graphs that the first lines of the files in a folder hold. */
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

/** Whose a file is, by its first line, which may be damaged. */
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

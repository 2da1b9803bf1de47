import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asRecordedNow } from '../../src/cli/formats/formats.js'
import { encodeExport } from '../../src/domain/transfer/encode.js'
import { startProgram } from '../../test/support/program.js'
import { createEvents } from './data.js'
import { promised, type Row } from './measure.js'
import { SECRET, startService } from './service.js'

const IMPORT_MARK_S = 15
const EXPORT_MARK_S = 3

/**
 * Export and import of a large graph through the command line, on a data folder and on a running service: how long
 * each takes, whether the progress moved, and whether the bytes came out as they went in; and how much more memory the
 * service took while it exported, for which it can be given no more than it must have (`heap`, in MB).
 */
export async function benchTransfer(memories: number, words?: string, heap?: string): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-transfer-'))
  const subject = `${memories.toLocaleString('en')} memories`
  const [first = '', second = '', third = ''] = ['1', '2', '3'].map((name) => join(folder, `${name}.ndjson`))
  const service = await startService({
    node: heap === undefined ? [] : [`--max-old-space-size=${heap}`],
  })
  try {
    await pipeline(Readable.from(exported(memories, words)), createWriteStream(first))
    const here = { LOREGRAPH_DATA: join(folder, 'data') }
    const there = { LOREGRAPH_URL: service.url, LOREGRAPH_SECRET: SECRET }
    const rows = [
      await timed('import, folder', subject, IMPORT_MARK_S, here, ['import', 'g', first]),
      await timed('export, folder', subject, EXPORT_MARK_S, here, ['export', 'g', '--out', second]),
      await timed('import, service', subject, IMPORT_MARK_S, there, ['import', 'g', first]),
    ]
    const before = await residentMb(service.pid)
    let most = before
    const watching = setInterval(async () => {
      most = Math.max(most, await residentMb(service.pid))
    }, 20)
    rows.push(await timed('export, service', subject, EXPORT_MARK_S, there, ['export', 'g', '--out', third]))
    clearInterval(watching)
    const [given, ...taken] = await Promise.all([first, second, third].map((file) => readFile(file)))
    if (!taken.every((bytes) => given?.equals(bytes))) throw new Error('The bytes differ.')
    return [
      ...rows,
      { what: 'size of the export', subject, value: (await stat(third)).size / 1e6, unit: 'MB' },
      { what: 'memory of the service', subject, value: before, unit: 'MB' },
      { what: 'more of it while exporting', subject, value: most - before, unit: 'MB' },
    ]
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a process holds in memory; 0 where the system does not tell. */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function timed(
  what: string,
  subject: string,
  mark: number,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Row> {
  const command = startProgram([...args, '--progress'], { env, from: 'build' })
  const { code, ms } = await command.ended
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${command.lines.join('\n')}`)
  const told = new Set(command.stderr.map((line) => /([\d,]+) events/.exec(line)?.[1] ?? line))
  const row = { what, subject: `${subject}, progress told ${told.size} times`, value: ms / 1000, unit: 's' }
  return promised(row, `≤ ${mark}`, ms <= 1000 * mark && told.size > 2)
}

/** What the service would export had it recorded these. */
export function exported(memories: number, words: string | undefined): AsyncIterable<string> {
  const event = createEvents(7, words === undefined ? undefined : Number(words))
  const events = Array.from({ length: memories }, (_, i) => event(i))
  const exportedAt = '2026-03-02T09:30:00.000Z'
  const recorded = asRecordedNow(events, { now: () => new Date(exportedAt), randomBytes })
  const graph = { graphId: 'g', exportedAt, events: Readable.from(recorded) }
  return encodeExport(graph, createHash('sha256'))
}

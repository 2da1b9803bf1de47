import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { errorCode, graphExists } from '../../domain/failure.js'
import { foldContextId } from '../../domain/names.js'
import { FORMATS, isFormat, readEvents } from '../formats/formats.js'
import { Stop, usage } from '../output/exits.js'
import { createProgress } from '../output/progress.js'
import { counted } from '../output/terminal.js'
import { OPTIONS } from '../parse/options.js'
import type { Job } from './job.js'

/** `loregraph import`: all or nothing. */
export async function importGraph(job: Job): Promise<void> {
  const { api, operands, values, terminal, print } = job
  const [graph = '', file = '-'] = operands
  const format = values.format ?? OPTIONS.format.fallback
  const context = foldContextId(values.context ?? OPTIONS.context.fallback)
  if (!isFormat(format))
    throw usage([`--format must be ${FORMATS.join(', ')}, not ${JSON.stringify(format)}.`], 'import')
  if (values.context !== undefined && format !== 'facts')
    throw usage(
      ['--context goes with --format facts; the other formats say where each memory belongs.'],
      'import',
    )
  // Asked first: if the service refuses in the middle of an upload, its answer may be lost.
  if (await api.hasGraph(graph)) throw graphExists(graph)
  const { size, bytes } = await source(file, job)
  const progress = createProgress(terminal, {
    label: `Importing ${graph}`,
    lines: values.progress ?? false,
    ...(size !== undefined && { totalBytes: size }),
  })
  const batches = readEvents(
    tap(bytes, (chunk) => progress.add({ bytes: chunk.length })),
    { format, context },
    job,
  )
  const events = tap(batches, (batch) => progress.add({ events: batch.length }))
  const imported = await api.importGraph(graph, events).finally(() => progress.end())
  if (values.json) return print(JSON.stringify(imported))
  const memories = counted(imported.memories, 'memory', 'memories')
  print(`The graph ${graph} was made of ${counted(imported.events, 'event')}: ${memories}.`)
}

async function source(
  file: string,
  { terminal }: Job,
): Promise<{ size: number | undefined; bytes: AsyncIterable<Uint8Array> }> {
  if (file === '-') return { size: undefined, bytes: terminal.stdin }
  try {
    const found = await stat(file)
    if (found.isDirectory()) throw new Stop('noInput', `${file} is a folder; a file is needed.`)
    const stream = createReadStream(file, { highWaterMark: 1 << 18 })
    await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
    return { size: found.isFile() ? found.size : undefined, bytes: stream }
  } catch (error) {
    if (error instanceof Stop) throw error
    const code = errorCode(error) ?? error
    throw new Stop('noInput', `${file} cannot be read (${code}).`, { cause: error })
  }
}

async function* tap<T>(items: AsyncIterable<T>, onItem: (item: T) => void): AsyncGenerator<T> {
  for await (const item of items) {
    onItem(item)
    yield item
  }
}

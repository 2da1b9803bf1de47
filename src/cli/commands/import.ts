import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { errorCode } from '../../domain/failure.js'
import { readEvents } from '../formats/formats.js'
import { Stop } from '../output/exits.js'
import { counted } from '../output/labelled.js'
import { createProgress } from '../output/progress.js'
import { usage } from '../parse/args.js'
import { contextMistakes, FORMATS, type Format, graphMistakes, isFormat } from '../parse/check-operands.js'
import { OPTIONS, type Values } from '../parse/options.js'
import type { Api } from '../target/api.js'
import type { Job, Prepare } from './job.js'

interface Wanted {
  readonly graph: string
  readonly file: string | undefined
  readonly format: Format
  readonly context: string
}

function readWanted([graph = '', file]: readonly string[], values: Values): Wanted {
  const format = values.format ?? OPTIONS.format.fallback
  const context = values.context ?? OPTIONS.context.fallback
  const mistakes = [...graphMistakes(graph), ...contextMistakes(context)]
  if (values.context !== undefined && format !== 'facts')
    mistakes.push('--context goes with --format facts; the other formats say where each memory belongs.')
  if (isFormat(format) && mistakes.length === 0)
    return { graph, file: file === '-' ? undefined : file, format, context }
  if (!isFormat(format))
    mistakes.push(`--format must be ${FORMATS.join(', ')}, not ${JSON.stringify(format)}.`)
  throw usage(mistakes, 'loregraph import --help')
}

/** `loregraph import`: all or nothing. */
export const importGraph: Prepare = (job) => {
  const wanted = readWanted(job.operands, job.values)
  return (api) => read(api, wanted, job)
}

async function read(api: Api, wanted: Wanted, job: Job): Promise<void> {
  const { values, terminal, print } = job
  const { graph, file } = wanted
  const { size, bytes } = await source(file, job)
  const progress = createProgress(terminal, {
    label: `Importing ${graph}`,
    lines: values.progress ?? false,
    ...(size !== undefined && { totalBytes: size }),
  })
  const batches = readEvents(
    observed(bytes, (chunk) => progress.add({ bytes: chunk.length })),
    wanted,
    job,
  )
  try {
    const events = observed(batches, (batch) => progress.add({ events: batch.length }))
    const imported = await api.importGraph(graph, events)
    progress.end()
    print(
      values.json
        ? JSON.stringify(imported)
        : `The graph ${graph} was made of ${counted(imported.events, 'event')}: ${counted(imported.memories, 'memory', 'memories')}.`,
    )
  } catch (error) {
    progress.end()
    throw error
  }
}

async function source(
  file: string | undefined,
  { terminal }: Job,
): Promise<{ size: number | undefined; bytes: AsyncIterable<Uint8Array> }> {
  if (file === undefined) return { size: undefined, bytes: terminal.stdin }
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

async function* observed<T>(items: AsyncIterable<T>, see: (item: T) => void): AsyncGenerator<T> {
  for await (const item of items) {
    see(item)
    yield item
  }
}

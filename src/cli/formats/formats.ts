import { createHash } from 'node:crypto'
import type { ClockAndRandom } from '../../domain/clock-and-random.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { Failure } from '../../domain/failure.js'
import type { ContextId, NewMemory } from '../../domain/model.js'
import { AsRecorded } from '../../domain/transfer/as-recorded.js'
import { decodeExport, type LineSchema } from '../../domain/transfer/decode.js'
import { linesOf } from '../../domain/transfer/lines.js'
import { fromFacts, fromMemoryServer } from '../../domain/transfer/other-formats.js'
import { Stop } from '../output/exits.js'

export const FORMATS = ['loregraph', 'mcp-memory', 'facts'] as const
type Format = (typeof FORMATS)[number]

export function isFormat(format: string): format is Format {
  return FORMATS.some((known) => known === format)
}

/** The events in a stream of bytes, some at a time; ends in an error that names the line where they are wrong. */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
  { format, context }: { readonly format: Format; readonly context: ContextId },
  chance: ClockAndRandom,
): AsyncGenerator<readonly PastEvent[]> {
  switch (format) {
    case 'loregraph': {
      yield* decodeExport(linesOf(bytes), await exportLineSchema(), createHash('sha256'), chance.now())
      break
    }
    case 'mcp-memory':
      yield* asRecordedNow(fromMemoryServer(await textOf(bytes)), chance)
      break
    case 'facts':
      yield* asRecordedNow(fromFacts(await textOf(bytes), context), chance)
      break
  }
}

/** The contract and its validator take a while to load, and no other format needs them. */
async function exportLineSchema(): Promise<LineSchema> {
  const { loadContract } = await import('../../contract/load-contract.js')
  const { importLineSchema } = await import('../../http/validation/import-line-schema.js')
  return importLineSchema((await loadContract()).document)
}

/** All facts may stand in one line, as a JSON array. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Far below the longest text that Node.js can hold. */
const MAX_CHARS = 256 * 1024 * 1024

/** Other formats are read whole: what a line means there may stand further down. */
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const lines: string[] = []
  let chars = 0
  for await (const some of linesOf(bytes, MAX_LINE_BYTES))
    for (const line of some) {
      chars += line.length + 1
      if (chars > MAX_CHARS)
        throw new Stop('data', `A list has at most ${MAX_CHARS} characters. Nothing was imported.`)
      lines.push(line)
    }
  return lines.join('\n').replace(/^\ufeff/, '')
}

const BATCH = 1000

/** Events as a graph would hold them had they been recorded now, in this order. */
export function* asRecordedNow(
  events: readonly NewMemory[],
  { now, randomBytes }: ClockAndRandom,
): Generator<PastEvent[]> {
  if (events.length === 0) throw new Failure('invalid_import', 'There is nothing to import.')
  const moment = now()
  const recorded = new AsRecorded({ now: () => moment, randomBytes })
  for (let start = 0; start < events.length; start += BATCH)
    yield events.slice(start, start + BATCH).map((event) => recorded.next(event))
}

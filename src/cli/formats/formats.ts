import { createHash } from 'node:crypto'
import type { PastEvent } from '../../domain/model.js'
import { foldContextId } from '../../domain/names.js'
import { decodeExport } from '../../domain/transfer/decode.js'
import { fromFacts } from '../../domain/transfer/facts.js'
import { linesOf } from '../../domain/transfer/lines.js'
import { fromMemoryServer } from '../../domain/transfer/memory-server.js'
import { Stop } from '../output/exits.js'
import type { Format } from '../parse/check-operands.js'
import { asRecordedNow } from './as-recorded-now.js'

interface Chance {
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
}

/** The events in a stream of bytes, some at a time; ends in an error that names the line where they are wrong. */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
  { format, context }: { readonly format: Format; readonly context: string },
  chance: Chance,
): AsyncGenerator<readonly PastEvent[]> {
  switch (format) {
    case 'loregraph': {
      // The contract and its validator take a while to load, and nothing else here needs them.
      const { exportLines } = await import('./export-lines.js')
      yield* decodeExport(linesOf(bytes), await exportLines(), createHash('sha256'))
      break
    }
    case 'mcp-memory':
      yield* asRecordedNow(fromMemoryServer(await textOf(bytes)), chance)
      break
    case 'facts':
      yield* asRecordedNow(fromFacts(await textOf(bytes), foldContextId(context)), chance)
      break
  }
}

/** Other formats are read whole: what a line means there may stand further down. */
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new Stop('data', 'What was given is not UTF-8 text. Nothing was imported.', { cause })
  }
}

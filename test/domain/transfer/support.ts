import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readContract } from '../../../src/contract/read-contract.js'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import { decodeExport } from '../../../src/domain/transfer/decode.js'
import { encodeExport } from '../../../src/domain/transfer/encode.js'
import { linesOf } from '../../../src/domain/transfer/lines.js'
import { importLineSchema } from '../../../src/http/validation/import-line-schema.js'

const contract = readContract(readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8'))
const schema = importLineSchema(contract.document)

export async function* pieces<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

export async function encoded(events: readonly PastEvent[], graphId = 'demo'): Promise<string> {
  const exportedAt = events.at(-1)?.recordedAt ?? ''
  let text = ''
  for await (const part of encodeExport(
    { graphId, exportedAt, events: pieces(events) },
    createHash('sha256'),
  ))
    text += part
  return text
}

/** The events of an export that comes in pieces of so many bytes. */
export async function decoded(text: string | Uint8Array, size = 65_536): Promise<PastEvent[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  const events: PastEvent[] = []
  for await (const batch of decodeExport(
    linesOf(pieces(...chunks)),
    schema,
    createHash('sha256'),
    new Date(),
  ))
    events.push(...batch)
  return events
}

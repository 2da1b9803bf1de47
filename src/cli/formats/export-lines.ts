import { readFile } from 'node:fs/promises'
import { readContract } from '../../contract/contract.js'
import type { LineSchema } from '../../domain/transfer/decode.js'
import { lineSchema } from '../../http/validation/import-line-schema.js'

const CONTRACT = new URL('../../../openapi/openapi.yaml', import.meta.url)

/** The contract's schema for a line of an export. */
export async function exportLines(): Promise<LineSchema> {
  return lineSchema(readContract(await readFile(CONTRACT, 'utf8')).document)
}

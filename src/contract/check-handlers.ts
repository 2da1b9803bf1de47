import { isDeepStrictEqual } from 'node:util'
import type { Contract } from './contract.js'
import { operationTable } from './generated/server.js'

/** Refuses to start when the contract on disk, the generated table and the handlers do not name the same operations. */
export function checkHandlers(contract: Contract, handlers: object): void {
  const table: readonly unknown[] = Object.values(operationTable)
  if (!isDeepStrictEqual(contract.operations, table))
    throw new Error(
      'src/contract/generated/server.ts does not follow from openapi/openapi.yaml: run npm run generate',
    )
  const wanted = contract.operations.map(({ id }) => id)
  const missing = wanted.filter((id) => !Object.hasOwn(handlers, id))
  const extra = Object.keys(handlers).filter((id) => !wanted.includes(id))
  if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`)
  if (extra.length > 0) throw new Error(`the contract has no operation ${extra.join(', ')}`)
}

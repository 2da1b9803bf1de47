import { type ContractDocument, resolve, type Schema } from '../../contract/contract.js'
import { invalidFields } from '../problems/problems.js'

/** Checks a graph id against the contract, for paths outside of it, which the validator does not check. */
export function checkGraphId(document: ContractDocument): (graphId: string) => void {
  const schema = resolve<Schema>(document, { $ref: '#/components/schemas/GraphId' })
  const { pattern = '', maxLength = 0, 'x-hint': message = 'must be the id of a graph' } = schema
  const form = new RegExp(pattern, 'u')
  return (graphId) => {
    if (graphId.length > maxLength || !form.test(graphId))
      throw invalidFields([{ path: '/path/graph_id', message }])
  }
}

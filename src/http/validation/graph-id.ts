import { type ContractDocument, resolve, type Schema } from '../../contract/contract.js'
import { invalidFields } from '../problems/problems.js'

/** Refuses what is no id of a graph by the contract; for paths that the contract does not have, which no validator checks. */
export function checkGraphId(document: ContractDocument): (graphId: string) => void {
  const schema = resolve<Schema>(document, { $ref: '#/components/schemas/GraphId' })
  const { pattern = '', maxLength = 0, 'x-hint': message = 'must be the id of a graph' } = schema
  const form = new RegExp(pattern, 'u')
  return (graphId) => {
    if (graphId.length > maxLength || !form.test(graphId))
      throw invalidFields([{ path: '/path/graph_id', message }])
  }
}

import { readFile } from 'node:fs/promises'
import { type Contract, toContract } from './contract.js'

const YAML = new URL('../../openapi/openapi.yaml', import.meta.url)
/** Put there by the build: YAML takes a third of a second to read. */
const JSON_COPY = new URL('openapi.json', import.meta.url)

/** The contract that comes with this code. */
export async function loadContract(): Promise<Contract> {
  const yaml = await readFile(YAML, 'utf8')
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt) return toContract(yaml, await readFile(JSON_COPY, 'utf8'))
  const { readContract } = await import('./read-contract.js')
  return readContract(yaml)
}

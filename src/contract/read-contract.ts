import { parse } from 'yaml'
import { type Contract, toContract } from './contract.js'

export function readContract(yaml: string): Contract {
  return toContract(yaml, JSON.stringify(parse(yaml)))
}

/** Puts the contract as JSON beside the built code that reads it: `npm run build` runs it behind `tsc`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readContract } from '../src/contract/read-contract.js'
import { CONTRACT, ROOT } from './proof/paths.js'

await writeFile(join(ROOT, 'dist/contract/openapi.json'), readContract(await readFile(CONTRACT, 'utf8')).json)

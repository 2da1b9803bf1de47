/**
 * Writes what follows from the contract: `src/contract/generated/api.ts` (types) and `src/contract/generated/server.ts` (the server stub,
 * a table of operations); and from package.json, the files that name its version to registries and hosts. With `--check` it
 * writes nothing and fails when any is stale.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import type { Operation } from '../src/contract/contract.js'
import { readContract } from '../src/contract/read-contract.js'
import { manifests } from './manifests.js'

const HEADER = '// Written by `npm run generate` from openapi/openapi.yaml. Do not edit.\n'

/** The generated files by name, for a contract. */
export async function generate(yaml: string): Promise<Map<string, string>> {
  const { json, operations } = readContract(yaml)
  // A client may leave out what has a default; what the server sees is worked out in src/contract/operations.ts.
  const types = astToString(await openapiTS(json, { defaultNonNullable: false, silent: true }))
  return new Map([
    ['api.ts', `${HEADER}\n${types}`],
    ['server.ts', `${HEADER}${stub(operations)}`],
  ])
}

function stub(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => `  ${operation.id}: ${JSON.stringify(operation)},\n`)
  return `import type { Operation } from '../contract.js'
import type { operations } from './api.js'

/** Every operation of the contract, in its order. */
export const operationTable = {
${rows.join('')}} as const satisfies { readonly [Id in keyof operations]: Operation & { readonly id: Id } }
`
}

async function main(args: readonly string[]): Promise<void> {
  const root = new URL('../', import.meta.url)
  const generated = await generate(await readFile(new URL('openapi/openapi.yaml', root), 'utf8'))
  const stale: string[] = []
  for (const [path, text] of [
    ...[...generated].map(([name, text]) => [`src/contract/generated/${name}`, text] as const),
    ...(await manifests(root)),
  ]) {
    const file = new URL(path, root)
    if (text === (await readFile(file, 'utf8').catch(() => ''))) continue
    stale.push(path)
    if (args.includes('--check')) continue
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, text)
  }
  if (args.includes('--check') && stale.length > 0) {
    console.error(
      `${stale.join(' and ')} no longer follow from the contract or package.json: run npm run generate.`,
    )
    process.exitCode = 1
  } else console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'up to date')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))

/**
 * Scaffolds an operation that the contract has gained: a handler that answers 501, and its test file.
 *
 *   npm run generate:stub -- <operationId>
 */
import { execFile } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Operation, readContract } from '../src/contract/contract.js'
import type { EnginePorts } from '../src/domain/insight/engine.js'
import { createHandlers } from '../src/handlers/index.js'
import type { HandlerPorts } from '../src/handlers/ports.js'
import type { Store } from '../src/store/store.js'
import { sampleRequest } from './sample.js'

export interface StubRequest {
  readonly yaml: string
  readonly operationId: string
  /** The operations that have a handler. */
  readonly handled: readonly string[]
}

/** The files of the stub by path. Throws, with a sentence, when there is nothing to scaffold. */
export function stubFiles({ yaml, operationId, handled }: StubRequest): Map<string, string> {
  const { operations } = readContract(yaml)
  const operation = operations.find(({ id }) => id === operationId)
  if (operation === undefined)
    throw new Error(
      `The contract has no operation ${operationId}. It has ${operations.map(({ id }) => id).join(', ')}.`,
    )
  if (handled.includes(operationId)) throw new Error(`${operationId} has a handler already.`)
  return new Map([
    [`src/handlers/${kebab(operationId)}.ts`, handlerFile(operation)],
    [`test/operations/${operationId}.test.ts`, testFile(operation, sampleRequest(yaml, operation))],
  ])
}

function handlerFile({ id }: Operation): string {
  return `import { Failure } from '../domain/failure.js'
import type { Handlers } from '../http/operations.js'

export function ${id}Handler() {
  return {
    async ${id}() {
      throw new Failure('not_implemented', '${id} is not implemented yet.')
    },
  } satisfies Pick<Handlers, '${id}'>
}
`
}

function testFile({ id, method }: Operation, { path, body }: { path: string; body: unknown }): string {
  const json = body === undefined ? '' : `, json: ${JSON.stringify(body)}`
  const init = `{ method: '${method}'${json} }`
  return `import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.js'

describe('${id}', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())

  test('501: not implemented yet', async () => {
    const { status, body } = await server.call('${path}', ${init})
    expect(status).toBe(501)
    expect(body['code']).toBe('not_implemented')
  })
})
`
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

async function main([operationId]: readonly string[]): Promise<void> {
  if (operationId === undefined)
    throw new Error('Say which operation: npm run generate:stub -- <operationId>')
  const root = new URL('../', import.meta.url)
  const yaml = await readFile(new URL('openapi/openapi.yaml', root), 'utf8')
  // Stand-ins: making the handlers asks nothing of the store or of what is around it.
  const handled = Object.keys(createHandlers({} as Store, {} as EnginePorts, {} as HandlerPorts))
  const files = stubFiles({ yaml, operationId, handled })
  for (const path of files.keys())
    if (await exists(new URL(path, root))) throw new Error(`${path} is there already. Nothing was written.`)
  for (const [path, text] of files) {
    await mkdir(dirname(fileURLToPath(new URL(path, root))), { recursive: true })
    await writeFile(new URL(path, root), text, { flag: 'wx' })
    console.log(`wrote ${path}`)
  }
  // What the contract's examples look like, nobody knows beforehand: the formatter lays them out.
  const written = Array.from(files.keys(), (path) => fileURLToPath(new URL(path, root)))
  const biome = fileURLToPath(new URL('node_modules/.bin/biome', root))
  await promisify(execFile)(biome, ['check', '--write', ...written])
  console.log(`Now add ...${operationId}Handler() to src/handlers/index.ts.`)
}

function exists(file: URL): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })

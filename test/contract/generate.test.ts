import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate } from '../../scripts/generate.js'
import { stubFiles } from '../../scripts/generate-stub.js'
import { operationTable } from '../../src/contract/generated/server.js'

const yaml = await readFile(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8')

test('what is committed under src/contract/generated follows from the contract', async () => {
  for (const [name, text] of await generate(yaml))
    expect(
      await readFile(new URL(`../../src/contract/generated/${name}`, import.meta.url), 'utf8'),
      name,
    ).toBe(text)
})

test('a contract without a scope for an operation cannot be generated from', async () => {
  const [line = ''] = /^ {6}x-required-scope: .*\n/m.exec(yaml) ?? []
  await expect(generate(yaml.replace(line, ''))).rejects.toThrow('browseContexts: x-required-scope')
})

const gained = yaml.replace('operationId: getMemory', 'operationId: fetchMemory')
const handled = Object.keys(operationTable)

test('an operation that the contract has gained gets a handler that answers 501, and its test', () => {
  const files = stubFiles({ yaml: gained, operationId: 'fetchMemory', handled })
  expect([...files.keys()]).toEqual(['src/handlers/fetch-memory.ts', 'test/operations/fetchMemory.test.ts'])
  const [handler, testFile] = [...files.values()]
  expect(handler).toContain("throw new Failure('not_implemented'")
  expect(handler).toContain("satisfies Pick<Handlers, 'fetchMemory'>")
  expect(testFile).toContain("server.call('/v1/memories/demo/mem_")
})

test('the scaffolded test sends the example of the contract as its body', () => {
  const yamlWithout = yaml.replace('operationId: recallMemories', 'operationId: recallAll')
  const files = stubFiles({ yaml: yamlWithout, operationId: 'recallAll', handled })
  expect(files.get('test/operations/recallAll.test.ts')).toContain('"query":"test runner"')
})

test('an unknown operation, or one that has a handler, is refused', () => {
  expect(() => stubFiles({ yaml, operationId: 'nothing', handled })).toThrow('has no operation nothing')
  expect(() => stubFiles({ yaml, operationId: 'getMemory', handled })).toThrow('has a handler already')
})

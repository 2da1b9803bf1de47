import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate } from '../../scripts/generate.js'

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

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { messageLines } from '../../src/mcp/stdio.js'

test('a message with a number that would change is answered by its id, and nothing is done', async () => {
  const message =
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"id":1234567890123456789}}}'
  const refused: unknown[] = []
  const lines = messageLines(Readable.from([Buffer.from(`${message}\n{"a":1e5}\n`)]), (answer) =>
    refused.push(answer),
  )
  const passed = Buffer.concat(await lines.toArray()).toString()
  expect(passed).toBe('{"a":1e5}\n')
  const why =
    '/params/arguments/id must not change, and would come back as 1234567890123456800; send it as text. Nothing was done.'
  expect(refused).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32602, message: why } }])
})

test('arguments that are null are none', async () => {
  const message = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"é","arguments": null}}'
  const lines = messageLines(Readable.from([Buffer.from(`${message}\n`)]), () => {})
  const [passed] = await lines.toArray()
  expect(JSON.parse(String(passed)).params).toEqual({ name: 'é' })
})

import { expect, test } from 'vitest'
import { parseMessage, serverSent } from '../../src/explorer/state/server-sent.js'

async function read(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const found: unknown[] = []
  for await (const message of serverSent(stream)) found.push(message)
  return found
}

test('wherever the network cuts a feed, the same messages come out of it', async () => {
  const bytes = new TextEncoder().encode(
    'id: 7\nevent: statement\ndata: {"value":"Füße 🙂"}\n\n: still here\n\nevent: erased\r\ndata: {"place":7}\r\n\r\n',
  )
  const whole = await read([bytes])
  expect(whole).toEqual([
    { event: 'statement', id: '7', data: '{"value":"Füße 🙂"}' },
    { event: 'message', data: '' },
    { event: 'erased', data: '{"place":7}' },
  ])
  for (let cut = 1; cut < bytes.length; cut++)
    expect(await read([bytes.slice(0, cut), bytes.slice(cut)]), `cut at ${cut}`).toEqual(whole)
})

test('a message that has no end was not sent', async () => {
  expect(await read([new TextEncoder().encode('id: 7\ndata: {}\n')])).toEqual([])
})

test('several lines of data are one text', () => {
  expect(parseMessage('data: a\ndata:b')).toEqual({ event: 'message', data: 'a\nb' })
})

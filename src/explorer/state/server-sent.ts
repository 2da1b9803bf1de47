/** One message of a `text/event-stream`; a comment is a message without data, which shows that the other side is there. */
export interface Message {
  readonly event: string
  readonly id?: string
  readonly data: string
}

/** The messages of a stream as they come. `EventSource` would do, could it send a secret. */
export async function* serverSent(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + value).split(/\r?\n\r?\n/)
      rest = parts.pop() ?? ''
      for (const part of parts) yield parseMessage(part)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export function parseMessage(text: string): Message {
  let event = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    const field = line.slice(0, colon)
    if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
  return { event, ...(id !== undefined && { id }), data: data.join('\n') }
}

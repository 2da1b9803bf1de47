import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything that came, in case it is more than one answer. */
  readonly text: string
}

const FIRST_BYTE_MS = 10_000

/**
 * Sends bytes as they are, for what `fetch` refuses to send, and reads until the server closes the connection (or, when
 * it does not, until nothing more came for a while). A busy machine may take its time over the first byte.
 */
export function raw(port: number, bytes: string, quietMs = 300): Promise<RawAnswer & { closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let closed = false
    const finish = () => {
      socket.destroy()
      resolve({ ...parseAnswer(text), closed })
    }
    socket.setTimeout(FIRST_BYTE_MS, finish)
    socket.on('data', (chunk) => {
      socket.setTimeout(quietMs)
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('end', () => {
      closed = true
    })
    socket.on('close', finish)
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.split(':', 1)[0]?.toLowerCase() ?? '',
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    body: Buffer.from(text.slice(end + 4), 'latin1').toString(),
    text,
  }
}

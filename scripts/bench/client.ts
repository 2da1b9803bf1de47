import { connect, type Socket } from 'node:net'

/**
 * One connection, one request at a time, and as little of a client as will do: what is measured is the service, not
 * the library that calls it.
 */
export class Client {
  readonly #url: URL
  readonly #headers: string
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  #wake: () => void = () => undefined

  constructor(url: string, secret: string) {
    this.#url = new URL(url)
    this.#headers = `Host: ${this.#url.hostname}\r\nAuthorization: Bearer ${secret}\r\n`
  }

  /** A GET, or with a body a POST. */
  async send(path: string, body = ''): Promise<void> {
    const method = body === '' ? 'GET' : 'POST'
    const type = body === '' ? '' : 'Content-Type: application/json\r\n'
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
    // The service closes a connection that was idle for long.
    const socket = this.#socket?.writable === true ? this.#socket : this.#connect()
    this.#received = Buffer.alloc(0)
    socket.write(`${method} ${path} HTTP/1.1\r\n${this.#headers}${type}${length}\r\n${body}`)
    while (!this.#isWhole()) {
      if (socket.destroyed) throw new Error(`${method} ${path}: the connection was closed`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const status = this.#received.toString('latin1', 9, 12)
    if (!status.startsWith('2')) throw new Error(`${method} ${path}: ${status}`)
  }

  /** While a large graph is opened, what is asked of it is answered with 503 after some seconds. */
  async sendOnceOpen(path: string): Promise<void> {
    for (;;) {
      try {
        return await this.send(path)
      } catch (error) {
        if (!(error instanceof Error && error.message.endsWith(': 503'))) throw error
      }
    }
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connect(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay(true)
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', () => undefined).on('close', () => this.#wake())
    this.#socket = socket
    return socket
  }

  #isWhole(): boolean {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return false
    const [, length] = /content-length: (\d+)/i.exec(this.#received.toString('latin1', 0, end)) ?? []
    return length !== undefined && this.#received.length >= end + 4 + Number(length)
  }
}

import { connect, type Socket } from 'node:net'

/**
 * One connection, one request at a time, and as little of a client as will do: what is measured is the service, not
 * the library that calls it.
 */
export class Client {
  readonly #socket: Socket
  readonly #headers: string
  #received = Buffer.alloc(0)
  #wake: () => void = () => undefined

  constructor(url: string, secret: string) {
    const { hostname, port } = new URL(url)
    this.#headers = `Host: ${hostname}\r\nAuthorization: Bearer ${secret}\r\n`
    this.#socket = connect(Number(port), hostname).setNoDelay(true)
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
  }

  async send(method: string, path: string, body = ''): Promise<void> {
    const type = body === '' ? '' : 'Content-Type: application/json\r\n'
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
    this.#received = Buffer.alloc(0)
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#headers}${type}${length}\r\n${body}`)
    while (!this.#isWhole())
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    const status = this.#received.toString('latin1', 9, 12)
    if (!status.startsWith('2')) throw new Error(`${method} ${path}: ${status}`)
  }

  close(): void {
    this.#socket.destroy()
  }

  #isWhole(): boolean {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return false
    const [, length] = /content-length: (\d+)/i.exec(this.#received.toString('latin1', 0, end)) ?? []
    return length !== undefined && this.#received.length >= end + 4 + Number(length)
  }
}

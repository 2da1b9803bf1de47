import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * How a connection is cut at a statement: before it reaches the database, after the database has answered it, or so that the
 * database receives it a while after its client has learned that the connection is lost.
 */
export type Cut = 'before' | 'after' | 'late'

export const LATE_MS = 300

/** Stands between a client and its database, and cuts connections. */
export class CuttingProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #next: { readonly how: Cut; readonly at: string } | undefined
  #isFrozen = false
  cuts = 0

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => this.#pair(client))
  }

  static async start(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url))
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  get url(): string {
    const address = this.#server.address()
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0)
    return url.href
  }

  /** Cuts the connection of the next statement that holds this text. */
  cutNext(how: Cut, at: string): void {
    this.#next = { how, at }
  }

  /** Nothing passes any more, and nobody learns of it: as when the process of the client is stopped. */
  freeze(): void {
    this.#isFrozen = true
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pair(client: Socket): void {
    const database = connect(Number(this.#target.port), this.#target.hostname)
    let isAnswerLost = false
    for (const socket of [client, database]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('close', () => isAnswerLost || database.destroy())
    database.on('close', () => client.destroy())
    database.on('data', (data) => {
      if (this.#isFrozen) return
      if (isAnswerLost) {
        client.destroy()
        database.destroy()
      } else client.write(data)
    })
    client.on('data', (data) => {
      if (this.#isFrozen) return
      const next = this.#next
      if (next === undefined || !data.includes(next.at)) return void database.write(data)
      this.#next = undefined
      this.cuts++
      if (next.how === 'before') return void client.destroy()
      isAnswerLost = true
      if (next.how === 'after') return void database.write(data)
      client.destroy()
      setTimeout(() => database.write(data), LATE_MS)
    })
  }
}

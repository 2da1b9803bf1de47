import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The answers that wait for those before them on their connection (pipelining). When it is closed, some versions of Node
 * tell only the first of them, and whatever the others hold would be held for ever.
 */
export class UnsentAnswers {
  readonly #of = new WeakMap<Duplex, Set<ServerResponse>>()

  /** How many there are now on this connection. */
  add(socket: Duplex, res: ServerResponse): number {
    // One that has its socket is told by Node.
    if (res.socket !== null) return 0
    const answers = this.#of.get(socket) ?? new Set()
    this.#of.set(socket, answers.add(res))
    res.once('close', () => answers.delete(res))
    return answers.size
  }

  /** The connection is closed. */
  lost(socket: Duplex): void {
    for (const res of this.#of.get(socket) ?? []) {
      if (res.socket !== null) continue
      res.destroy()
      if (!res.closed) res.emit('close')
    }
  }
}

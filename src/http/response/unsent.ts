import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Tracks pipelined answers that wait for earlier answers on their connection. When the connection is closed,
 * some versions of Node emit `close` only for the first answer; the others would never release their slots.
 */
export class UnsentAnswers {
  readonly #bySocket = new WeakMap<Duplex, Set<ServerResponse>>()

  /** Returns how many answers wait on the connection. */
  add(socket: Duplex, res: ServerResponse): number {
    // Not waiting: Node emits `close` for an answer that has its socket.
    if (res.socket !== null) return 0
    const answers = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, answers.add(res))
    res.once('close', () => answers.delete(res))
    return answers.size
  }

  /** To be called when the connection is closed. */
  closeAll(socket: Duplex): void {
    for (const res of this.#bySocket.get(socket) ?? []) {
      if (res.socket !== null) continue
      res.destroy()
      if (!res.closed) res.emit('close')
    }
  }
}

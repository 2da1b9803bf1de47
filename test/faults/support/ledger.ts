import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { openFileStore } from '../../../src/log/file-store.js'
import type { Store } from '../../../src/store/store.js'
import { ask } from '../../store/support.js'
import { SILENT } from '../../support/silent.js'
import type { Client } from './service.js'

const GRAPH = 'ledger'

/** What was sent and what was acknowledged, writer by writer, to be held against what is there in the end. */
export class Ledger {
  readonly #acknowledged = new Map<string, string[]>()
  readonly #sent = new Set<string>()
  #count = 0

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, texts) => sum + texts.length, 0)
  }

  /** Sends one event that no other is like; resolves to the status. */
  async send(
    client: Client,
    writer: string,
    padding = 0,
  ): Promise<{ status: number; error?: string; body: string }> {
    const text = `${writer} ${this.#count++} ${'x'.repeat(padding)}`.trim()
    this.#sent.add(text)
    const answer = await client.record(GRAPH, `writer:${writer}`, text)
    if (answer.status === 201)
      this.#acknowledged.set(writer, [...(this.#acknowledged.get(writer) ?? []), text])
    return answer
  }

  /** All that was acknowledged is in the folder, in order, once; and nothing that was not sent. */
  async settle(folder: string): Promise<void> {
    const store = await openFileStore({ folder, now: () => new Date(), randomBytes, log: SILENT })
    await this.settleIn(store).finally(() => store.close())
  }

  async settleIn(store: Store): Promise<void> {
    for (const [writer, texts] of this.#acknowledged) {
      const { items } = await ask(store, GRAPH).contextMemories(`writer:${writer}`, {
        page: 0,
        pageSize: 1e6,
      })
      const found = items.map(({ text }) => text).reverse()
      const expected = new Set(texts)
      expect(found.filter((text) => expected.has(text))).toEqual(texts)
      expect(found.filter((text) => !this.#sent.has(text))).toEqual([])
      expect(items.filter(({ timesSeen }) => timesSeen !== 1)).toEqual([])
    }
  }
}

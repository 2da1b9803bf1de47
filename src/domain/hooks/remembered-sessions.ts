import { Lru } from '../lru.js'
import type { HookSession } from './answer.js'

/** Sessions that are told of in memory: so many, and so many words of each; the least recently used are forgotten first. */
export class RememberedSessions {
  readonly #mostWords: number
  readonly #sessions: Lru<string, Set<string>>

  constructor(most = 1000, mostWords = 300) {
    this.#sessions = new Lru(most)
    this.#mostWords = mostWords
  }

  get size(): number {
    return this.#sessions.size
  }

  session(name: string): HookSession {
    const words = () => this.#wordsOf(name)
    return {
      has: async (word) => words().has(word),
      claim: async (claimed) => {
        const known = words()
        // A session that has been told so much is told nothing more, rather than the same again.
        const own = claimed.filter((word) => !known.has(word)).slice(0, this.#mostWords - known.size)
        for (const word of own) known.add(word)
        return own
      },
      emptied: async () => {
        const known = words()
        for (const word of known) if (isMemory(word)) known.delete(word)
      },
    }
  }

  #wordsOf(name: string): Set<string> {
    const words = this.#sessions.get(name) ?? new Set()
    this.#sessions.set(name, words)
    return words
  }
}

/** A session of which nothing is remembered, for hosts that do not say which it is. */
export const FORGETFUL: HookSession = {
  has: async () => false,
  claim: async (words) => words,
  emptied: async () => {},
}

export function isMemory(word: string): boolean {
  return word.startsWith('mem_')
}

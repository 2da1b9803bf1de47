import { Lru } from '../lru.js'
import type { HookSession } from './answer.js'

/** Keeps sessions in memory, up to a number of sessions and of marks for each. Drops the least recently used sessions first. */
export class RememberedSessions {
  readonly #maxMarks: number
  readonly #sessions: Lru<string, Set<string>>

  constructor(maxSessions = 1000, maxMarks = 300) {
    this.#sessions = new Lru(maxSessions)
    this.#maxMarks = maxMarks
  }

  get size(): number {
    return this.#sessions.size
  }

  session(name: string): HookSession {
    const marks = () => this.#marksOf(name)
    return {
      has: async (mark) => marks().has(mark),
      mark: async (requested) => {
        const shown = marks()
        // A session with too many marks is shown nothing more, rather than the same again.
        const added = requested.filter((mark) => !shown.has(mark)).slice(0, this.#maxMarks - shown.size)
        for (const mark of added) shown.add(mark)
        return added
      },
      forgetShownMemories: async () => {
        const shown = marks()
        for (const mark of shown) if (isMemory(mark)) shown.delete(mark)
      },
    }
  }

  #marksOf(name: string): Set<string> {
    const marks = this.#sessions.get(name) ?? new Set()
    this.#sessions.set(name, marks)
    return marks
  }
}

/** Remembers nothing; for hosts that send no session id. */
export const NO_SESSION: HookSession = {
  has: async () => false,
  mark: async (marks) => marks,
  forgetShownMemories: async () => {},
}

export function isMemory(mark: string): boolean {
  return mark.startsWith('mem_')
}

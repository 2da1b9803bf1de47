import type { Caller } from '../contract/operations.js'
import type { EnginePorts } from '../domain/insight/engine.js'
import type { VectorSource } from '../domain/insight/ports.js'
import { memoryText } from '../domain/meaning/memory-text.js'
import type { GraphId, NewMemory } from '../domain/model.js'
import type { Pause } from '../domain/search/knowledge.js'
import type { Store } from '../store/store.js'

/** What questions are answered with, whoever asks. */
export interface AnswerPorts extends Pick<EnginePorts, 'texts'> {
  /** Left out where nothing is read for meaning. */
  readonly meaning?: VectorSource & {
    /** As `AnswerReader.logitsOf`; `by` is the id of the caller's key. */
    logitsOf(question: string, texts: readonly string[], by: string): Promise<readonly number[] | undefined>
  }
}

/** The ports of the engine for one caller. */
export function engineFor(
  { texts, meaning }: AnswerPorts,
  { principal }: Caller,
  pause?: Pause,
): EnginePorts {
  if (meaning === undefined) return { texts, pause }
  const logitsOf = (question: string, answers: readonly string[]) =>
    meaning.logitsOf(question, answers, principal.keyId)
  return { texts, meaning, reader: { logitsOf }, pause }
}

/** What is done before a store is asked: reading for meaning takes longer than `Store.read` may be kept waiting. */
export interface Asking {
  /** The vector of a question, when the graph has caught up with what was recorded; undefined if there is none. */
  question(graphId: GraphId, text: string): Promise<Int8Array | undefined>
  /** The vector of an event, when the few that were recorded just before it are read; undefined if there is none. */
  event(graphId: GraphId, event: Pick<NewMemory, 'contextId' | 'payload'>): Promise<Int8Array | undefined>
}

/** One text is read at a time, a hundred or so a second; many more events than that may be recorded. */
const MOST_EVENTS = 4

export function asking(store: Pick<Store, 'caughtUp'>, { meaning }: AnswerPorts): Asking {
  if (meaning === undefined) return { question: async () => undefined, event: async () => undefined }
  let events = 0
  const whenCaughtUp = async (graphId: GraphId, text: string, waiter?: 'event') => {
    // A store that cannot tell is asked the question all the same, and then says what is wrong.
    const caughtUp = store.caughtUp(graphId, waiter).catch(() => undefined)
    const vector = await meaning.vectorOf(text)
    // What is answered by words alone need not wait for what is not read yet.
    if (vector !== undefined) await caughtUp
    return vector
  }
  return {
    question: (graphId, text) => whenCaughtUp(graphId, text),

    async event(graphId, { contextId, payload }) {
      if (events >= MOST_EVENTS) return undefined
      events += 1
      try {
        return await whenCaughtUp(graphId, memoryText(contextId, payload), 'event')
      } finally {
        events -= 1
      }
    },
  }
}

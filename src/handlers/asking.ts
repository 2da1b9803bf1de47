import type { Caller } from '../contract/operations.js'
import type { EnginePorts } from '../domain/insight/ports.js'
import { memoryText } from '../domain/meaning/memory-text.js'
import type { GraphId, NewMemory } from '../domain/model.js'
import type { Pause } from '../domain/search/knowledge.js'
import type { Store } from '../store/store.js'

/** What the handlers need to answer questions, for all callers. */
export interface AnswerPorts extends Pick<EnginePorts, 'texts'> {
  /** Undefined when reading for meaning is off. */
  readonly meaning?: {
    /** As `toBytes` makes it (meaning/nearness.ts); undefined when the text cannot be read now. */
    vectorOf(text: string): Promise<Int8Array | undefined>
    /** As `AnswerReader.logitsOf`; `by` is the key id of the caller. */
    logitsOf(question: string, texts: readonly string[], by: string): Promise<readonly number[] | undefined>
  }
}

/** The ports of the insight engine for one caller. */
export function engineFor(
  { texts, meaning }: AnswerPorts,
  { principal }: Caller,
  pause?: Pause,
): EnginePorts {
  if (meaning === undefined) return { texts, pause }
  const logitsOf = (question: string, answers: readonly string[]) =>
    meaning.logitsOf(question, answers, principal.keyId)
  return { texts, reader: { logitsOf }, pause }
}

/** Embeds texts before a store is read: embedding takes longer than a `Store.read` may take. */
interface TextEmbedder {
  /** The vector of a question, once the latest memories are embedded; undefined if there is none. */
  question(graphId: GraphId, text: string): Promise<Int8Array | undefined>
  /** The vector of an event, once the events just before it are embedded; undefined if there is none. */
  event(graphId: GraphId, event: Pick<NewMemory, 'contextId' | 'payload'>): Promise<Int8Array | undefined>
}

/** Further events get no vector: about a hundred texts a second can be embedded, and many more recorded. */
const MAX_EVENTS_UNDER_WAY = 4

export function textEmbedder(store: Pick<Store, 'caughtUp'>, { meaning }: AnswerPorts): TextEmbedder {
  if (meaning === undefined) return { question: async () => undefined, event: async () => undefined }
  let events = 0
  const whenCaughtUp = async (graphId: GraphId, text: string, waiter?: 'event') => {
    // An error is ignored here: the read that follows fails with a message for the caller.
    const caughtUp = store.caughtUp(graphId, waiter).catch(() => undefined)
    const vector = await meaning.vectorOf(text)
    // Without a vector, only words are compared, and there is nothing to wait for.
    if (vector !== undefined) await caughtUp
    return vector
  }
  return {
    question: (graphId, text) => whenCaughtUp(graphId, text),

    async event(graphId, { contextId, payload }) {
      if (events >= MAX_EVENTS_UNDER_WAY) return undefined
      events += 1
      try {
        return await whenCaughtUp(graphId, memoryText(contextId, payload), 'event')
      } finally {
        events -= 1
      }
    },
  }
}

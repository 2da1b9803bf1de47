import { Failure } from '../../domain/failure.js'
import type { MemoKind, TextCache } from '../../domain/text-cache.js'
import { Tally } from '../../http/load/tally.js'
import { OnceRead, type Read } from './once-read.js'

/** A question takes about a tenth of a second, so that the last of the queue waits six seconds. */
const MAX_QUESTIONS = 64
export const MAX_QUESTIONS_OF_A_KEY = 16

type ReadPairs = (question: string, texts: readonly string[], by: string) => readonly Promise<number>[]

const MAX_KEPT_CHARACTERS = 4_000_000
const LOGITS: MemoKind<Read<number>> = { most: MAX_KEPT_CHARACTERS, sizeOf: (_, key) => key.length }

/** Rates texts as answers to questions. Reads each pair once, and limits the number of waiting questions. */
export class AnswerReadings {
  readonly #read: ReadPairs
  readonly #logits: OnceRead<number>
  /** Number of questions of each key that wait or are being read. */
  readonly #underWay = new Tally()
  #total = 0

  constructor(read: ReadPairs, texts: TextCache) {
    this.#read = read
    this.#logits = new OnceRead(texts, LOGITS)
  }

  /**
   * Logits in the order of the texts, undefined where one failed. Rejects with `overloaded` above a limit.
   */
  async logitsOf(
    question: string,
    texts: readonly string[],
    by: string,
  ): Promise<readonly (number | undefined)[]> {
    const logits = new Map<string, Promise<number | undefined>>()
    const unread: string[] = []
    for (const text of new Set(texts)) {
      const cached = this.#logits.get(keyOf(question, text))
      if (cached === undefined) unread.push(text)
      else logits.set(text, cached)
    }
    if (unread.length > 0) {
      const leave = this.#enter(by)
      const readings = this.#read(question, unread, by)
      void Promise.allSettled(readings).then(leave)
      for (const [i, reading] of readings.entries()) {
        const text = unread[i] ?? ''
        logits.set(text, this.#logits.put(keyOf(question, text), reading))
      }
    }
    return Promise.all(texts.map((text) => logits.get(text)))
  }

  #enter(by: string): () => void {
    const count = this.#underWay.of(by)
    if (count >= MAX_QUESTIONS_OF_A_KEY)
      throw overloaded(`${count} questions of this key wait to be answered, which is the most.`)
    if (this.#total >= MAX_QUESTIONS) throw overloaded('Too many questions wait to be answered.')
    this.#underWay.add(by, 1)
    this.#total += 1
    return () => {
      this.#underWay.add(by, -1)
      this.#total -= 1
    }
  }
}

function keyOf(question: string, text: string): string {
  return JSON.stringify([question, text])
}

function overloaded(reason: string): Failure {
  return new Failure('overloaded', `${reason} Try again in a second.`)
}

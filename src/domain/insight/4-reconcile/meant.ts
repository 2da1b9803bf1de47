import { agrees, exceptsFrom, likenessTo, type Reading, readPayload } from '../../judgement/judgement.js'
import { cosine } from '../../meaning/nearness.js'
import type { Memory, MemoryId } from '../../model.js'

/** From here on a record against a context may be about a memory of it. */
const MAY_BE_MEANT = 0.12
/** A record that is so much nearer to another memory of the context, by the cosine of their vectors, means that one. */
const FAR_NEARER = 0.08
/** Where they were not read for meaning: one that is so many times as like the other. */
const FAR_MORE_LIKE = 2
/** A record this like the memory likely means it, whatever else it is like, and is told before it. */
export const IS_LIKELY_MEANT = 0.6

type Measure = (memory: Memory, record: Memory) => number

/** The records that may mean a memory, and how like it they are. */
export class Meant {
  readonly #others: readonly Memory[]
  readonly #vectors: ReadonlyMap<MemoryId, Int8Array>
  readonly #readings = new Map<MemoryId, Reading>()
  readonly #most = new Map<string, number>()

  constructor(others: readonly Memory[], vectors: ReadonlyMap<MemoryId, Int8Array>) {
    this.#others = others
    this.#vectors = vectors
  }

  /** Those of the records that mean no other memory of the context far more. */
  by(records: readonly Memory[], memory: Memory): readonly { record: Memory; likeness: number }[] {
    return records.flatMap((record) => {
      const likeness = this.#likeness(memory, record)
      if (likeness < MAY_BE_MEANT) return []
      // What surely agrees with a memory does not contradict it.
      if (agrees(this.#read(memory), this.#read(record))) return []
      if (likeness < IS_LIKELY_MEANT && this.#isOtherMeant(record, memory)) return []
      return [{ record, likeness }]
    })
  }

  /** Is the memory among the latest of its context, and of those none more like the record? */
  isMostLike(record: Memory, memory: Memory): boolean {
    if (!this.#others.some(({ memoryId }) => memoryId === memory.memoryId)) return false
    return this.#mostOf(this.#likeness, record, memory) <= this.#likeness(memory, record)
  }

  /** Does the record leave the memory as it is, but for some days? */
  isException(record: Memory, memory: Memory): boolean {
    return exceptsFrom(this.#read(record), this.#read(memory))
  }

  /** All share the name of the context, which is in their vectors: how near two are says little, but who is nearer does. */
  #isOtherMeant(record: Memory, memory: Memory): boolean {
    const near = this.#cosine(memory, record)
    return near === undefined
      ? this.#mostOf(this.#likeness, record, memory) >= this.#likeness(memory, record) * FAR_MORE_LIKE
      : this.#mostOf(this.#nearness, record, memory) > near + FAR_NEARER
  }

  /** Of those that it does not agree with. */
  #mostOf(measure: Measure, record: Memory, { contextId }: Memory): number {
    const asked = `${record.memoryId} ${contextId} ${measure === this.#nearness}`
    const known = this.#most.get(asked)
    if (known !== undefined) return known
    const others = this.#others.filter(
      (other) =>
        other.contextId === contextId && other.seq < record.seq && other.trust.status !== 'superseded',
    )
    const best = others
      .map((other) => ({ other, much: measure(other, record) }))
      .sort((one, two) => two.much - one.much)
      .find(({ other }) => !agrees(this.#read(other), this.#read(record)))
    const most = best?.much ?? 0
    this.#most.set(asked, most)
    return most
  }

  readonly #nearness: Measure = (a, b) => this.#cosine(a, b) ?? 0

  readonly #likeness: Measure = (a, b) => likenessTo(this.#read(a))(this.#read(b), this.#cosine(a, b))

  /** Undefined where one of them was not read for meaning. */
  #cosine(a: Memory, b: Memory): number | undefined {
    const [own, other] = [this.#vectors.get(a.memoryId), this.#vectors.get(b.memoryId)]
    return own && other && cosine(own, other)
  }

  #read(memory: Memory): Reading {
    const reading = this.#readings.get(memory.memoryId) ?? readPayload(memory.payload)
    this.#readings.set(memory.memoryId, reading)
    return reading
  }
}

import type { ContextId, MemoryId, NewMemory, Receipt } from '../../src/domain/model.js'
import type { Idempotency } from '../../src/graph/records.js'
import type { Counted } from './oracle.js'

/** `unsure`: nobody was told, or writes and erasures of it overlapped; the storage decides when nothing is under way. */
export type State = 'pending' | 'there' | 'absent' | 'erased' | 'unsure'

/** An event with a text that no other event has, and what has become of it as far as anybody was told. */
export interface Told {
  readonly token: string
  readonly event: NewMemory
  state: State
  memoryId: MemoryId | undefined
  /** How often it was recorded again. */
  repeats: number
  /** Writes of it that are under way. */
  writing: number
  /** Erasures that are under way and may take it. */
  erasing: number
}

/** A write with an Idempotency-Key, which may be sent again. */
export interface KeyedWrite {
  readonly once: Idempotency
  readonly told: readonly Told[]
  readonly events: readonly NewMemory[]
  sending: number
  /** Was an answer lost? */
  isUnsure: boolean
  /** Was something of it perhaps erased? */
  isTouched: boolean
  /** Undefined as long as nobody was told, or what was told was lost. */
  receipts: readonly Receipt[] | undefined
  /** Of the graph, when the receipts were given. */
  epoch: string | undefined
}

/** What clients were told. */
export class Model {
  readonly told: Told[] = []
  readonly keyed: KeyedWrite[] = []

  add(token: string, event: NewMemory): Told {
    const told: Told = {
      ...{ token, event, state: 'pending', memoryId: undefined },
      ...{ repeats: 0, writing: 0, erasing: 0 },
    }
    this.told.push(told)
    return told
  }

  get there(): readonly Told[] {
    return this.told.filter(({ state }) => state === 'there')
  }

  inContext(contextId: ContextId): readonly Told[] {
    return this.told.filter(({ event }) => event.contextId === contextId)
  }

  /** What was told, against what is stored. Throws when it is not true. */
  check(count: (token: string) => Counted, text: string): void {
    for (const { token, state, repeats, writing, erasing } of this.told) {
      const { first, repeated } = count(token)
      if (first > 1) throw new Error(`${token} is there ${first} times.`)
      if (erasing > 0 || state === 'unsure') continue
      if (state === 'there' && first !== 1) throw new Error(`${token} was acknowledged, and is not there.`)
      if (state === 'there' && (repeated < repeats || repeated > repeats + writing))
        throw new Error(`${token} was repeated ${repeats} times, and is there with ${repeated} repeats.`)
      if (state === 'absent' && first > 0) throw new Error(`${token} was refused, and is there.`)
      if (state === 'erased' && text.includes(token)) throw new Error(`${token} was erased, and is stored.`)
    }
  }

  /** Takes over what is stored, where nobody can have been told better; after a failover that is all. */
  settle(count: (token: string) => Counted, isLost: boolean, isOpen: (told: Told) => boolean): void {
    for (const one of this.told) {
      if (one.writing > 0 || one.erasing > 0 || isOpen(one)) {
        if (isLost) one.state = 'unsure'
      } else if (isLost || one.state === 'unsure') {
        const { first, repeated, memoryId } = count(one.token)
        one.state = first > 0 ? 'there' : 'absent'
        one.repeats = repeated
        one.memoryId = memoryId
      }
    }
    if (!isLost) return
    // A receipt may be of what was lost.
    for (const write of this.keyed) {
      write.receipts = undefined
      write.isUnsure = true
    }
  }
}

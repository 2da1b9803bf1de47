import { createHash } from 'node:crypto'
import { Failure } from '../../src/domain/failure.js'
import type { GraphId } from '../../src/domain/model.js'
import { type LogStore, openLogStore } from '../../src/log/store.js'
import type { KeyStore } from '../../src/store/key-store.js'
import { MemoryLog } from '../support/memory-log/memory-log.js'
import { createRandom } from '../support/random.js'
import { SILENT } from '../support/silent.js'
import { WatchedStorage } from './oracle.js'
import { VirtualTime } from './virtual-time.js'

/** How rough a world is. All of it follows from the seed. */
export interface Profile {
  readonly processes: number
  /** Of the calls of a log, those that are not held up. */
  readonly straight: number
  readonly cut: number
  readonly kill: number
  readonly failover: number
  readonly pause: number
  readonly slow: number
  /** How far the clocks of processes are apart. */
  readonly skewMs: number
}

/** A call of a log that is held up until the scheduler resumes or cuts it. */
interface Held {
  readonly process: Process
  readonly label: string
  readonly resume: () => void
  readonly cut: (error: Error) => void
}

const START = Date.parse('2025-01-01T00:00:00.000Z')
const MAX_LOST = 3

/** One process: a store over a log, until it is killed. */
export class Process {
  readonly name: string
  readonly store: LogStore
  readonly log: MemoryLog
  isDead = false
  isPaused = false

  constructor(world: World, name: string, skewMs: number) {
    this.name = name
    const hold = (phase: string) => (operation: string, graphId: GraphId | undefined) =>
      world.hold(this, `${name}: ${phase} ${operation} ${graphId ?? ''}`)
    this.log = new MemoryLog(world.storage, { before: hold('before'), after: hold('after') })
    let drawn = 0
    this.store = openLogStore({
      log: this.log,
      keys: NO_KEYS,
      health: () => ({ writable: true }),
      logger: SILENT,
      now: () => new Date(START + world.time.ms + skewMs),
      randomBytes: (size) =>
        createHash('shake256', { outputLength: size }).update(`${world.seed} ${name} ${drawn++}`).digest(),
    })
  }
}

/** Everything that is not Loregraph: storage, network, clock and fate. */
export class World {
  readonly seed: number
  readonly random: () => number
  readonly profile: Profile
  readonly time: VirtualTime
  readonly storage = new WatchedStorage({ maxUndo: 10_000 })
  /** What happened, for a seed that fails. */
  readonly steps: string[] = []
  readonly processes: Process[] = []
  failovers = 0
  #isCalm = false
  #count = 0
  #held: Held[] = []

  constructor(seed: number) {
    this.seed = seed
    this.random = createRandom(seed)
    this.profile = profileOf(this.random)
    const slow = createRandom(seed + 1)
    this.time = new VirtualTime(() => slow() < this.profile.slow)
  }

  start(): void {
    while (this.processes.length < this.profile.processes) this.open()
  }

  open(): void {
    const skewMs = Math.round((this.random() * 2 - 1) * this.profile.skewMs)
    this.processes.push(new Process(this, `p${++this.#count}`, skewMs))
  }

  note(step: string): void {
    this.steps.push(`${Math.round(this.time.ms)} ms  ${step}`)
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  below(count: number): number {
    return Math.floor(this.random() * count)
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)]
  }

  async hold(process: Process, label: string): Promise<void> {
    if (process.isDead) return new Promise(() => undefined)
    // What comes from a storage comes in a task of the event loop of its own.
    if (this.chance(this.profile.straight)) return new Promise((resume) => setImmediate(resume))
    await new Promise<void>((resume, cut) => this.#held.push({ process, label, resume, cut }))
  }

  /** Resumes one of the calls that are held up; now and then its connection is cut. Returns whether there was one. */
  resume(): boolean {
    const ready = this.#held.filter(({ process }) => !process.isPaused)
    const held = this.pick(ready)
    if (held === undefined) return false
    this.#held.splice(this.#held.indexOf(held), 1)
    const isCut = !this.#isCalm && this.chance(this.profile.cut)
    this.note(`${isCut ? 'cut' : 'go '} ${held.label}`)
    if (isCut) held.cut(cutConnection())
    else held.resume()
    return true
  }

  /** From now on, or until it ends, nothing goes wrong. */
  calm(isCalm: boolean): void {
    this.#isCalm = isCalm
    if (isCalm) for (const process of this.processes) process.isPaused = false
  }

  pause(): void {
    const process = this.pick(this.processes)
    if (process === undefined) return
    process.isPaused = !process.isPaused
    this.note(`${process.name} ${process.isPaused ? 'stops' : 'goes on'}`)
  }

  /** As `kill -9`, and a new process in its place. */
  kill(process: Process): void {
    this.note(`${process.name} is killed`)
    process.isDead = true
    process.log.kill()
    this.#held = this.#held.filter((held) => held.process !== process)
    this.processes.splice(this.processes.indexOf(process), 1)
    this.open()
  }

  /** Another server takes over that has not had the last commits. */
  failOver(): void {
    this.failovers++
    const lost = this.storage.failOver(1 + this.below(MAX_LOST))
    this.note(`failover, ${lost} commits lost`)
    for (const held of this.#held.splice(0)) held.cut(cutConnection())
  }
}

function profileOf(random: () => number): Profile {
  const pick = (...values: readonly number[]) => values[Math.floor(random() * values.length)] ?? 0
  return {
    processes: pick(2, 2, 3),
    straight: pick(0, 0.3, 0.7),
    cut: pick(0, 0, 0.03, 0.1),
    kill: pick(0, 0, 0.01),
    failover: pick(0, 0, 0.01),
    pause: pick(0, 0.01),
    slow: pick(0, 0.01, 0.1),
    skewMs: pick(0, 50, 5_000),
  }
}

function cutConnection(): Failure {
  return new Failure('storage_unavailable', 'The connection was cut.')
}

const refuse = () => Promise.reject(new Error('There are no keys.'))
const NO_KEYS: KeyStore = { add: refuse, list: refuse, remove: refuse, find: refuse }

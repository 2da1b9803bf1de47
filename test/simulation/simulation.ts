import { isDeepStrictEqual } from 'node:util'
import type { PastEvent } from '../../src/domain/events/recording.js'
import { Failure, type FailureCode } from '../../src/domain/failure.js'
import {
  type Erasure,
  EVENT_KINDS,
  type GraphId,
  LINK_KINDS,
  type Link,
  type NewMemory,
  type Receipt,
  SOURCES,
} from '../../src/domain/model.js'
import { presentOf, readerAt } from '../../src/graph/answers.js'
import type { LogStore } from '../../src/log/store.js'
import { Follower } from './follower.js'
import { type KeyedWrite, Model, type Told } from './model.js'
import { Oracle } from './oracle.js'
import { answerOf, around, list, type Question, search, survey } from './questions.js'
import { type Process, World } from './world.js'

const G = 'g'
/** How many steps of the scheduler a history has. */
export const LONG = 240
export const SHORT = 40
const MAX_UNDER_WAY = 6
const MAX_ROUNDS = 20_000
const CONTEXTS = ['skill:a', 'skill:b', 'decision:c', 'fact:d']
const TEXTS = ['the port of the api is', 'the cache holds', 'deploys run on day', 'retries are capped at']

/** What a client asked for, until there is an answer or its process is dead. */
interface UnderWay {
  readonly process: Process
  readonly killed: () => void
}

/** A question that is under way, with every answer that was right since it was asked. */
interface Asked {
  readonly graphId: GraphId
  readonly answerBy: (oracle: Oracle | undefined) => Promise<string>
  readonly right: Set<string>
}

/** A seed under which Loregraph does not keep a promise. */
export class BrokenPromise extends Error {
  constructor(world: World, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`Seed ${world.seed}, step ${world.steps.length}: ${why}`, { cause })
    this.name = 'BrokenPromise'
  }
}

/** Runs the history of one seed. Rejects with `BrokenPromise`; `steps` gets what happened. */
export async function simulate(seed: number, length = LONG, steps: string[] = []): Promise<void> {
  const world = new World(seed)
  const restore = world.time.install()
  try {
    await new Simulation(world).run(length)
  } catch (error) {
    throw new BrokenPromise(world, error)
  } finally {
    restore()
    steps.push(...world.steps)
  }
}

class Simulation {
  readonly #world: World
  readonly #model = new Model()
  readonly #oracles = new Map<GraphId, Oracle>()
  readonly #underWay = new Set<UnderWay>()
  readonly #asked = new Set<Asked>()
  readonly #followers = new Set<Follower>()
  /** Checks of answers, once the oracle knows all commits. */
  #checks: (() => void)[] = []
  #erasures = new Set<Erasure>()
  #failure: { readonly error: unknown } | undefined
  #names = 0

  constructor(world: World) {
    this.#world = world
  }

  async run(length: number): Promise<void> {
    this.#world.start()
    for (let step = 1; step <= length; step++) {
      this.#step()
      await this.#settle()
      if (step % 80 === 0 || step === length) await this.#compareAll()
    }
    for (const follower of this.#followers) follower.following?.close()
    const closing = Promise.all(this.#world.processes.map(({ store }) => store.close()))
    let isClosed = false
    void closing.then(() => {
      isClosed = true
    })
    await this.#drain(() => isClosed)
  }

  #step(): void {
    const world = this.#world
    const { kill, failover, pause } = world.profile
    const victim = world.pick(world.processes)
    if (victim !== undefined && world.chance(kill)) this.#kill(victim)
    else if (world.chance(failover)) this.#failOver()
    else if (world.chance(pause)) world.pause()
    else if (world.chance(0.05)) world.time.advance(world.below(world.chance(0.1) ? 6_000 : 400))
    else {
      world.time.ms += world.below(4)
      const isFree = this.#underWay.size < MAX_UNDER_WAY && world.chance(0.25)
      if (isFree || !world.resume()) this.#begin()
    }
  }

  #begin(): void {
    const process = this.#world.pick(this.#world.processes)
    if (process === undefined) return
    const dice = this.#world.below(100)
    if (dice < 40) this.#write(process)
    else if (dice < 45) this.#sendAgain(process)
    else if (dice < 55) this.#erase(process)
    else if (dice < 58) this.#import(process)
    else if (dice < 63) this.#follow(process)
    else this.#ask(process)
  }

  #write(process: Process): void {
    const world = this.#world
    const told: Told[] = []
    const events: NewMemory[] = []
    for (let count = world.chance(0.6) ? 1 : 2 + world.below(3); count > 0; count--) {
      const repeated = world.chance(0.25) ? world.pick(this.#model.there) : undefined
      const links = this.#links()
      if (repeated !== undefined && !told.includes(repeated)) {
        told.push(repeated)
        events.push({ ...repeated.event, links, source: world.pick(SOURCES) ?? 'agent' })
        continue
      }
      const event = this.#event(links)
      told.push(this.#model.add(event.token, event))
      events.push(event)
    }
    // Within one write an event may say the same as one before it.
    const isTwice = world.chance(0.1)
    const [first] = events
    const [one] = told
    if (isTwice && first !== undefined && one !== undefined && one.state === 'pending') {
      told.push(one)
      events.push({ ...first, links: [] })
    }
    this.#append(process, told, events, world.chance(0.3) ? this.#keyed(told, events) : undefined)
  }

  #keyed(told: readonly Told[], events: readonly NewMemory[]): KeyedWrite {
    const once = { key: `key ${this.#names++}`, body: 'body' }
    const keyed: KeyedWrite = {
      once,
      told,
      events,
      sending: 0,
      isUnsure: false,
      isTouched: false,
      receipts: undefined,
      epoch: undefined,
    }
    this.#model.keyed.push(keyed)
    return keyed
  }

  #sendAgain(process: Process): void {
    const keyed = this.#world.pick(this.#model.keyed)
    if (keyed !== undefined) this.#append(process, keyed.told, keyed.events, keyed)
  }

  #event(links: readonly Link[]): NewMemory & { readonly token: string } {
    const world = this.#world
    const token = `zq${this.#names++}x`
    const text = `${world.pick(TEXTS)} ${world.below(4)} ${token}`
    return {
      token,
      contextId: world.pick(CONTEXTS) ?? '',
      eventKind: world.pick(EVENT_KINDS) ?? 'fact',
      source: world.pick(SOURCES) ?? 'agent',
      payload: { text },
      links,
    }
  }

  #links(): Link[] {
    const world = this.#world
    const links = new Map<string, Link>()
    for (let count = world.chance(0.5) ? 0 : 1 + world.below(2); count > 0; count--) {
      const memoryId = world.chance(0.6) ? world.pick(this.#model.there)?.memoryId : undefined
      const target = memoryId ?? world.pick(CONTEXTS) ?? ''
      links.set(target, { kind: world.pick(LINK_KINDS) ?? 'extension', target })
    }
    return [...links.values()]
  }

  #append(
    process: Process,
    told: readonly Told[],
    events: readonly NewMemory[],
    keyed: KeyedWrite | undefined,
  ): void {
    const before = keyed?.receipts
    const isSpent = before !== undefined && told.some(({ state }) => state === 'erased')
    for (const one of new Set(told)) {
      // A write that was erased with all of the graph is recorded anew.
      if (keyed !== undefined && before === undefined && (one.state === 'absent' || one.state === 'erased'))
        one.state = 'pending'
      one.writing++
      if (one.erasing > 0 || this.#isBeingErased(one)) one.state = 'unsure'
    }
    if (keyed !== undefined) {
      keyed.sending++
      keyed.isTouched ||= told.some((one) => this.#isBeingErased(one))
    }
    const ended = () => {
      if (keyed !== undefined) keyed.sending--
      for (const one of new Set(told)) one.writing--
    }
    const unsure = () => {
      for (const one of told) one.state = 'unsure'
      if (keyed !== undefined) keyed.isUnsure = true
      return undefined
    }
    const names = told.map(({ token }) => token).join(' ')
    this.#run(process, `writes ${names} ${keyed?.once.key ?? ''}`, {
      ask: (store) => store.append(G, events, (i) => `/${i}`, keyed?.once),
      killed: () => {
        ended()
        unsure()
      },
      done: (receipts, isLost) => {
        ended()
        if (isLost) return unsure()
        if (isSpent && keyed?.isTouched === true && keyed.receipts === before)
          throw new Error(`${names} was answered again, though it was erased.`)
        // A removal frees the key, even if it is still under way, or its process was killed before it answered.
        const epoch = this.#oracles.get(G)?.version?.head?.epoch
        const isRemoved = keyed?.receipts !== undefined && keyed.epoch !== epoch
        const isFree = isRemoved || [...this.#erasures].some((what) => 'everything' in what)
        const known = isFree ? undefined : keyed?.receipts
        if (known !== undefined) this.#compareReceipts(known, receipts)
        // An answer that nobody had may be an answer to what is there already.
        else if (keyed?.isUnsure === true || (keyed?.receipts !== undefined && isFree)) unsure()
        else for (const [i, receipt] of receipts.entries()) this.#acknowledge(told, i, receipt)
        if (keyed === undefined) return
        keyed.receipts = receipts
        keyed.epoch = epoch
      },
      refused: (code, isLost) => {
        ended()
        if (isLost) return unsure()
        if (code === 'still_running' && keyed !== undefined && keyed.sending > 0) return undefined
        if (code === 'idempotency_key_reused' && keyed?.isTouched === true) return undefined
        if (keyed === undefined || (keyed.sending === 0 && keyed.receipts === undefined))
          for (const one of told) if (one.state === 'pending') one.state = 'absent'
        if (code !== 'unknown_memory') return code
        const isMissing = events.some(({ links }) => links.some(({ target }) => this.#mayBeMissing(target)))
        return isMissing ? undefined : code
      },
    })
  }

  #acknowledge(told: readonly Told[], index: number, receipt: Receipt): void {
    const one = told[index]
    if (one === undefined) throw new Error('There are more receipts than events.')
    const oracle = this.#oracles.get(G)
    const expected = oracle?.receipts.get(`${receipt.memoryId} ${receipt.place}`)
    if (!isDeepStrictEqual(receipt, expected))
      throw new Error(`A receipt is ${JSON.stringify(receipt)}, not ${JSON.stringify(expected)}.`)
    if (one.state === 'unsure') return
    const isFirst = one.state === 'pending'
    if ((receipt.status === 'recorded') !== isFirst) throw new Error(`${one.token} is ${receipt.status}.`)
    if (isFirst) {
      one.state = 'there'
      one.memoryId = receipt.memoryId
    } else {
      if (one.memoryId !== receipt.memoryId) throw new Error(`${one.token} is said to be another memory.`)
      one.repeats++
    }
  }

  /** Of memories that were erased since, a write is no longer said to have done anything to them or to have meant them. */
  #compareReceipts(known: readonly Receipt[], receipts: readonly Receipt[]): void {
    const named = ({ bearsOn, unresolved = [] }: Receipt) => [
      ...bearsOn,
      ...unresolved.flatMap(({ candidates }) => candidates),
    ]
    const bare = ({ bearsOn: _bearsOn, unresolved, ...rest }: Receipt) => ({
      ...rest,
      unresolved: unresolved?.map(({ candidates: _candidates, ...link }) => link),
    })
    const isPart = receipts.every((receipt, i) => {
      const before = known[i] === undefined ? [] : named(known[i])
      return named(receipt).every((one) => before.some((other) => isDeepStrictEqual(one, other)))
    })
    if (!isPart || !isDeepStrictEqual(known.map(bare), receipts.map(bare)))
      throw new Error(`The same key got ${JSON.stringify(receipts)}, after ${JSON.stringify(known)}.`)
  }

  #mayBeMissing(target: string): boolean {
    const one = this.#model.told.find(({ memoryId }) => memoryId === target)
    return one === undefined || one.state !== 'there' || one.erasing > 0
  }

  #isBeingErased(told: Told): boolean {
    for (const what of this.#erasures) if (isCovered(told, what)) return true
    return false
  }

  #erase(process: Process): void {
    const world = this.#world
    const dice = world.below(20)
    const one = world.pick(this.#model.there)
    if (one?.memoryId === undefined) return
    const what: Erasure =
      dice < 14
        ? { memoryId: one.memoryId }
        : dice < 19
          ? { contextId: one.event.contextId }
          : { everything: true }
    const covered = this.#model.told.filter((other) => isCovered(other, what))
    for (const other of covered) {
      if (other.writing > 0) other.state = 'unsure'
      other.erasing++
    }
    this.#erasures.add(what)
    for (const keyed of this.#model.keyed)
      keyed.isTouched ||= keyed.told.some((other) => isCovered(other, what))
    const ended = () => {
      this.#erasures.delete(what)
      for (const other of covered) other.erasing--
    }
    const unsure = () => {
      for (const other of covered) other.state = 'unsure'
      return undefined
    }
    this.#run(process, `erases ${JSON.stringify(what)}`, {
      ask: (store) => store.erase(G, what, { dryRun: false }),
      killed: () => {
        ended()
        unsure()
      },
      done: ({ memoryIds }, isLost) => {
        ended()
        if (isLost) return unsure()
        for (const other of covered) {
          if (other.state !== 'there' || other.erasing > 0) {
            if (other.erasing > 0) other.state = 'unsure'
            continue
          }
          if (other.memoryId === undefined || !memoryIds.includes(other.memoryId))
            throw new Error(`${other.token} was to be erased, and was not.`)
          other.state = 'erased'
          other.repeats = 0
        }
        if ('everything' in what) for (const keyed of this.#model.keyed) keyed.receipts = undefined
      },
      refused: (code, isLost) => {
        ended()
        if (isLost) return unsure()
        const isGone =
          code === 'memory_not_found' || code === 'context_not_found' || code === 'graph_not_found'
        if (!isGone) return code
        // Another erasure may have come first, which nobody has been told yet.
        if (covered.every(({ state, erasing }) => state !== 'there' || erasing > 0)) return undefined
        return code
      },
    })
  }

  #ask(process: Process): void {
    const world = this.#world
    const kind = world.below(6)
    const graphId = world.chance(0.8) ? G : (world.pick([...this.#oracles.keys()]) ?? G)
    if (kind === 5) {
      this.#askAsOf(process, graphId, world.below(30))
      return
    }
    const token = world.pick(this.#model.told)?.token ?? 'api'
    const questions: readonly Question[] = [list, search(token, 'port'), survey, around, list]
    const question = questions[kind] ?? list
    const ask = (store: LogStore) => store.read(graphId, (graph) => question(graph), LATER)
    this.#compare(process, graphId, `asks ${kind} of ${graphId}`, ask, by(question))
  }

  #askAsOf(process: Process, graphId: GraphId, place: number): void {
    const answerBy = async (oracle: Oracle | undefined) => {
      const reader =
        oracle?.version?.head === undefined ? undefined : readerAt(oracle.graph, { asOf: { place } }, LATER)
      return reader === undefined ? 'graph_not_found' : answerOf(() => list(reader))
    }
    const ask = (store: LogStore) => store.readAt(graphId, { asOf: { place } }, (graph) => list(graph))
    this.#compare(process, graphId, `asks as of ${place}`, ask, answerBy)
  }

  /** The answer must be one that was right at some moment since the question was asked. */
  #compare(
    process: Process,
    graphId: GraphId,
    name: string,
    ask: (store: LogStore) => Promise<unknown>,
    answerBy: Asked['answerBy'],
    then: (answer: string) => void = () => undefined,
  ): void {
    const asked: Asked = { graphId, answerBy, right: new Set() }
    this.#asked.add(asked)
    this.#run(process, name, {
      before: async () => void asked.right.add(await answerBy(this.#oracles.get(graphId))),
      ask: (store) => answerOf(() => ask(store)),
      killed: () => void this.#asked.delete(asked),
      done: (answer) => {
        this.#asked.delete(asked)
        if (!asked.right.has(answer))
          throw new Error(
            `${process.name} ${name}: it says\n${answer}\nnot\n${[...asked.right].join('\nor\n')}`,
          )
        then(answer)
      },
      refused: (code) => {
        this.#asked.delete(asked)
        return code
      },
    })
  }

  #follow(process: Process): void {
    if (this.#followers.size >= 4 || this.#oracles.get(G)?.version?.head === undefined) return
    const follower = new Follower(process, this.#oracles.get(G)?.version?.head?.epoch)
    this.#followers.add(follower)
    this.#world.note(`${process.name} follows`)
    const erased = () =>
      new Set(this.#model.told.flatMap((one) => (one.state === 'erased' ? (one.memoryId ?? []) : [])))
    void follower.run(G, this.#world.chance(0.5), erased)
  }

  #import(process: Process): void {
    const events: PastEvent[] = []
    const ask = async (store: LogStore) => {
      events.splice(0)
      const { events: pages } = await store.exportGraph(G)
      for await (const page of pages) events.push(...page)
      return events.map(({ place, memoryId }) => ({ place, memoryId }))
    }
    const answerBy = async (oracle: Oracle | undefined) => {
      if (oracle?.version?.head === undefined) return 'graph_not_found'
      return JSON.stringify(
        Array.from(oracle.statements.values(), ({ place, memoryId }) => ({ place, memoryId })),
      )
    }
    this.#compare(process, G, 'exports', ask, answerBy, (answer) => {
      const target = this.#world.pick(this.#world.processes)
      if (answer !== 'graph_not_found' && target !== undefined && events.length > 0)
        this.#importTo(target, `h${this.#names++ % 3}`, events, answer)
    })
  }

  #importTo(process: Process, graphId: GraphId, events: readonly PastEvent[], exported: string): void {
    const source = (async function* () {
      for (let i = 0; i < events.length; i += 5) yield events.slice(i, i + 5)
    })()
    this.#run(process, `imports ${events.length} events to ${graphId}`, {
      ask: (store) => store.importGraph(graphId, source, (i) => `/${i}`),
      killed: () => undefined,
      done: (counts, isLost) => {
        const { statements } = this.#oracles.get(graphId) ?? {}
        const there = Array.from(statements?.values() ?? [], ({ place, memoryId }) => ({ place, memoryId }))
        if (!isLost && JSON.stringify(there) !== exported)
          throw new Error(`${graphId} is not what was exported.`)
        if (counts.events !== events.length) throw new Error(`${counts.events} events were imported.`)
      },
      refused: (code) => (code === 'graph_exists' ? undefined : code),
    })
  }

  /** Asks a process for something. What it answers is looked at once the oracle knows every commit. */
  #run<T>(
    process: Process,
    name: string,
    client: {
      readonly before?: () => Promise<void>
      readonly ask: (store: LogStore) => Promise<T>
      readonly killed: () => void
      readonly done: (answer: T, isLost: boolean) => void
      /** Returns the code if it may not be refused with it. */
      readonly refused: (code: FailureCode, isLost: boolean) => FailureCode | undefined
    },
  ): void {
    const world = this.#world
    world.note(`${process.name} ${name}`)
    const { failovers } = world
    const underWay: UnderWay = { process, killed: client.killed }
    this.#underWay.add(underWay)
    const ended = (what: string, check: (isLost: boolean) => void) => {
      if (process.isDead) return
      world.note(`${process.name} ${name}: ${what}`)
      this.#checks.push(() => {
        if (!this.#underWay.delete(underWay)) return
        check(world.failovers !== failovers)
      })
    }
    void (client.before?.() ?? Promise.resolve())
      .then(() => client.ask(process.store))
      .then(
        (answer) => ended('done', (isLost) => client.done(answer, isLost)),
        (error: unknown) => {
          ended(String(error), (isLost) => {
            if (!(error instanceof Failure)) throw error
            const code = client.refused(error.code, isLost)
            if (code !== undefined && !this.#mayFail(error)) throw error
          })
        },
      )
      .catch((error: unknown) => this.#fail(error))
  }

  /** Without a fault nothing is unavailable, but what takes long to open or is erased while it is exported. */
  #mayFail({ code, message }: Failure): boolean {
    if (code !== 'storage_unavailable') return false
    const { cut, failover, kill } = this.#world.profile
    const slow = ['still being opened', 'was erased while', 'The lock was lost']
    return cut + failover + kill > 0 || slow.some((one) => message.includes(one))
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  #kill(process: Process): void {
    for (const underWay of this.#underWay) {
      if (underWay.process !== process) continue
      this.#underWay.delete(underWay)
      underWay.killed()
    }
    for (const follower of this.#followers) if (follower.process === process) this.#followers.delete(follower)
    this.#world.kill(process)
  }

  #failOver(): void {
    for (const follower of this.#followers) follower.following?.close()
    this.#followers.clear()
    this.#world.failOver()
    this.#checks.push(() => this.#takeOver(true))
  }

  #takeOver(isLost: boolean): void {
    this.#model.settle(
      (token) => this.#count(token),
      isLost,
      (told) => this.#isBeingErased(told),
    )
  }

  #count(token: string) {
    return this.#oracles.get(G)?.count(token) ?? { first: 0, repeated: 0, memoryId: undefined }
  }

  /** Lets everything run that is not held up, and looks whether all promises are kept. */
  async #settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const isChanged = await this.#followLog()
    const checks = this.#checks.splice(0)
    for (const check of checks) check()
    const oracle = this.#oracles.get(G)
    if (oracle !== undefined) for (const follower of this.#followers) follower.check(oracle)
    if (isChanged || checks.length > 0)
      this.#model.check((token) => this.#count(token), this.#world.storage.textOf(G))
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Returns whether there was anything new. */
  async #followLog(): Promise<boolean> {
    for (let isChanged = false; ; isChanged = true) {
      const versions = this.#world.storage.takeVersions()
      if (versions.length === 0) return isChanged
      for (const version of versions) {
        const { graphId, head } = version
        this.#world.note(
          `-- ${graphId} is at ${head === undefined ? 'its end' : `${head.epoch} ${head.position}`}`,
        )
        const oracle = this.#oracles.get(version.graphId) ?? new Oracle()
        this.#oracles.set(version.graphId, oracle)
        await oracle.follow(version)
        for (const { graphId, answerBy, right } of this.#asked)
          if (graphId === version.graphId) right.add(await answerBy(oracle))
      }
    }
  }

  /** Until then, nothing goes wrong any more. */
  async #drain(isDone: () => boolean): Promise<void> {
    this.#world.calm(true)
    for (let round = 0; !isDone(); round++) {
      if (round > MAX_ROUNDS) throw new Error('Something is never answered.')
      if (!this.#world.resume() && round % 10 === 0) this.#world.time.advance(50)
      await this.#settle()
    }
  }

  /** When nothing is under way, all processes say the same as the log. */
  async #compareAll(): Promise<void> {
    await this.#drain(() => this.#underWay.size === 0)
    let until = this.#world.time.ms + 1_500
    await this.#drain(() => this.#world.time.ms > until)
    this.#takeOver(false)
    for (const graphId of this.#oracles.keys())
      for (const process of this.#world.processes)
        for (const question of [list, survey, around])
          this.#compare(
            process,
            graphId,
            `is asked about ${graphId}`,
            (store) => store.read(graphId, question),
            by(question),
          )
    await this.#drain(() => this.#underWay.size === 0)
    until = this.#world.time.ms + 1_500
    await this.#drain(() => this.#world.time.ms > until)
    this.#checkFollowers()
    this.#world.calm(false)
  }

  #checkFollowers(): void {
    const oracle = this.#oracles.get(G)
    for (const follower of this.#followers) {
      const isSame = oracle !== undefined && follower.epoch === oracle.version?.head?.epoch
      if (isSame && !follower.isOver) follower.checkAll(oracle)
      if (follower.isOver) this.#followers.delete(follower)
    }
  }
}

/** The clocks of the processes differ. */
const LATER = '2100-01-01T00:00:00.000Z'

function by(question: Question): Asked['answerBy'] {
  return async (oracle) =>
    oracle?.version?.head === undefined
      ? 'graph_not_found'
      : answerOf(() => question(presentOf(oracle.graph, LATER)))
}

function isCovered({ memoryId, event }: Told, what: Erasure): boolean {
  if ('memoryId' in what) return memoryId === what.memoryId
  return 'everything' in what || event.contextId === what.contextId
}

interface Timer {
  readonly run: () => void
  readonly everyMs: number | undefined
  readonly order: number
  dueMs: number
}

/**
 * Timers and `performance.now` of this thread, moved on by nobody but the simulation. While it is installed, code under test
 * that takes a slice of time does so when `isSlow` says.
 */
export class VirtualTime {
  ms = 0
  readonly #timers = new Map<object, Timer>()
  readonly #isSlow: () => boolean
  #count = 0

  constructor(isSlow: () => boolean) {
    this.#isSlow = isSlow
  }

  /** Returns what puts the real ones back. */
  install(): () => void {
    const real = { ...pick(globalThis), now: performance.now }
    const start = (run: () => void, dueMs = 0, everyMs?: number) => {
      const handle = { unref: () => handle, ref: () => handle, hasRef: () => false }
      this.#timers.set(handle, { run, dueMs: this.ms + dueMs, everyMs, order: this.#count++ })
      return handle
    }
    const stop = (handle: unknown) => void this.#timers.delete(handle as object)
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => start(run, ms),
      setInterval: (run: () => void, ms?: number) => start(run, ms, Math.max(1, ms ?? 1)),
      clearTimeout: stop,
      clearInterval: stop,
    })
    performance.now = () => {
      if (this.#isSlow()) this.ms += 5
      return this.ms
    }
    return () => {
      const { now, ...timers } = real
      Object.assign(globalThis, timers)
      performance.now = now
    }
  }

  /** Runs the next timer, at its time. Returns whether there was one. */
  fireNext(): boolean {
    let next: readonly [object, Timer] | undefined
    for (const one of this.#timers) if (next === undefined || isBefore(one[1], next[1])) next = one
    if (next === undefined) return false
    const [handle, timer] = next
    this.ms = Math.max(this.ms, timer.dueMs)
    if (timer.everyMs === undefined) this.#timers.delete(handle)
    else timer.dueMs = this.ms + timer.everyMs
    timer.run()
    return true
  }

  /** Runs what is due until then. */
  advance(ms: number): void {
    const end = this.ms + ms
    while (this.#nextDue() <= end && this.fireNext());
    this.ms = Math.max(this.ms, end)
  }

  #nextDue(): number {
    let due = Number.POSITIVE_INFINITY
    for (const { dueMs } of this.#timers.values()) due = Math.min(due, dueMs)
    return due
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.dueMs === b.dueMs ? a.order < b.order : a.dueMs < b.dueMs
}

function pick({ setTimeout, setInterval, clearTimeout, clearInterval }: typeof globalThis) {
  return { setTimeout, setInterval, clearTimeout, clearInterval }
}

/** A text that waits to be read. */
export interface Job {
  readonly text: string
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** Texts that wait, first come, first served; what somebody waits for goes before what is read in the background. */
export class TextQueue {
  readonly #urgent: Job[] = []
  readonly #background: Job[] = []

  get size(): number {
    return this.#urgent.length + this.#background.length
  }

  add(job: Job, urgent: boolean): void {
    if (urgent) this.#urgent.push(job)
    else this.#background.push(job)
  }

  next(): Job | undefined {
    return this.#urgent.shift() ?? this.#background.shift()
  }

  rejectAll(error: Error): void {
    for (let job = this.next(); job !== undefined; job = this.next()) job.reject(error)
  }
}

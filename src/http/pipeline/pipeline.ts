import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Step } from './exchange.js'

type Run = (req: Request, res: Response, next: NextFunction) => Promise<void> | undefined | void

/** Steps in an order that compiles: each needs no more than `Has`, which the steps before it have added. */
export class Pipeline<Has extends object = object> {
  readonly #steps: readonly Run[]

  constructor(steps: readonly Run[] = []) {
    this.#steps = steps
  }

  add<Adds extends object>(step: Step<Has, Adds>): Pipeline<Has & Adds> {
    // A boundary: `res.locals` starts empty, and each step adds what the steps after it need.
    return new Pipeline<Has & Adds>([...this.#steps, step as Run])
  }

  /** All steps as one: a layer of express for each costs a twentieth of the throughput. */
  middleware(): RequestHandler {
    const steps = this.#steps
    return (req, res, done) => {
      let at = 0
      // A `throw undefined` must not look like `next()`, which would run the next step.
      const fail = (thrown: unknown) => done(thrown ?? new Error('nothing was thrown'))
      const next = (error?: unknown): void => {
        const step = steps[at++]
        try {
          if (error !== undefined || step === undefined) done(error)
          else step(req, res, next)?.catch(fail)
        } catch (thrown) {
          fail(thrown)
        }
      }
      next()
    }
  }
}

import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Step } from './exchange.js'

/** A list of steps in a valid order: a step compiles only if the steps before it add what it needs. */
export class StepList<Has extends object = object> {
  readonly middleware: readonly RequestHandler[]

  constructor(middleware: readonly RequestHandler[] = []) {
    this.middleware = middleware
  }

  add<Adds extends object>(step: Step<Has, Adds>): StepList<Has & Adds> {
    return new StepList<Has & Adds>([...this.middleware, guarded(step)])
  }
}

/** Express would treat `throw undefined` as a call of `next()`, and run the next step. */
function guarded<Needs extends object, Adds extends object>(step: Step<Needs, Adds>): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    try {
      // A boundary: `res.locals` starts empty, and each step adds what the steps after it need.
      return step(req, res as Parameters<Step<Needs, Adds>>[1], next)
    } catch (thrown) {
      return next(thrown ?? new Error('nothing was thrown'))
    }
  }
}

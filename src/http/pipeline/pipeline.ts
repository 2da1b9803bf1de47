import type { RequestHandler } from 'express'
import type { Step } from './exchange.js'

/** The rungs one after the other, as one middleware: a layer of express for each would cost more than most of them. */
export function pipeline(...rungs: readonly Step[]): RequestHandler {
  return (req, res, next) => {
    let at = 0
    // What was thrown may be nothing at all, which express would take for the end of the ladder.
    const fall = (thrown: unknown) => next(thrown ?? new Error('nothing was thrown'))
    const climb = (error?: unknown): void => {
      const rung = rungs[at++]
      try {
        if (error !== undefined || rung === undefined) next(error)
        // A boundary: `res.locals` starts empty, and each rung sets what the rungs below it read.
        else rung(req, res as Parameters<Step>[1], climb)?.catch(fall)
      } catch (thrown) {
        fall(thrown)
      }
    }
    climb()
  }
}

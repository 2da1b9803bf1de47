import type { NextFunction, Request, Response } from 'express'
import type { Operation } from '../../contract/contract.js'
import type { Principal } from '../../contract/operations.js'

/** One request on its way down the rungs: what each of them has found out, kept in `res.locals`. */
export interface Exchange {
  requestId: string
  /** The route's template or the operation's id, for the log. */
  route: string
  operation: Operation
  pathParams: Record<string, string>
  /** Decoded by `query`; the validator turns digits into numbers and fills in defaults. */
  query: Record<string, unknown>
  principal: Principal
  encoding: Encoding
  /** The body of an operation that takes it a piece at a time. */
  stream?: AsyncIterable<Uint8Array>
  /** What went wrong, for the log. */
  error: unknown
  /** How much the caller's key may still ask; absent where nothing is limited. */
  rateLimit?: { readonly policy: string; readonly state: string }
  /** Whose page asks, if it is a listed one; absent where none is. */
  cors?: { readonly origin: string | undefined; readonly preflight: boolean }
  /** Whether it went wrong when a part of the answer had been sent already. */
  cutShort?: boolean
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** The answer under way. A rung reads only what the rungs above it have set. */
export type Answer = Response<unknown, Exchange & Record<string, unknown>>

export type Step = (req: Request, res: Answer, next: NextFunction) => Promise<void> | undefined | void

export type Headers = Record<string, string | number>

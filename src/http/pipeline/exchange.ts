import type { NextFunction, Request, Response } from 'express'
import type { Operation } from '../../contract/contract.js'
import type { Caller, Principal } from '../../contract/operations.js'

/*
 * The type of `res.locals` by stage: Received → Routed → Authorised → Parsed → Checked. A step declares the
 * stage that it needs and the fields that it adds; step-list.ts checks the order at compile time.
 */

export interface Identified {
  requestId: string
}

export interface Received extends Identified {
  /** The target without its query. */
  path: string
}

export interface Routed extends Received {
  operation: Operation
  pathParams: Record<string, string>
}

export interface Authorised extends Routed {
  principal: Principal
  /** Verifies the secret again, for requests that take long. Throws 401 when it is no longer valid. */
  stillHolds: () => Promise<void>
}

export interface Parsed extends Authorised {
  /** Decoded by `query`; the validator turns digits into numbers and fills in defaults. */
  query: Record<string, unknown>
  encoding: Encoding
  /** The body of an operation that reads it in pieces; any other body is in `req.body`. */
  stream: AsyncIterable<Uint8Array> | undefined
}

export interface Checked extends Parsed {
  /** The input of the handler, valid by the contract. */
  input: {
    readonly path: unknown
    readonly query: unknown
    readonly headers: unknown
    readonly body: unknown
  }
  /** May access the graph that the request names. */
  caller: Caller
}

/** Counts a request towards the limit on requests under way, except while it waits for its client. */
export interface Slot {
  pause(): void
  resume(): void
}

/** Fields that any step may set. A step must not depend on them. */
interface Notes {
  /** The route's template or the operation's id, for the log. */
  route?: string
  /** For the log. */
  error?: unknown
  /** The error occurred after a part of the answer had been sent. */
  cutShort?: boolean
  /** Absent until the caller is authenticated. */
  slot?: Slot
  /** The values of the RateLimit headers; absent without a limit. */
  rateLimit?: { readonly policy: string; readonly state: string }
  /** `origin` is set if it is an allowed one. Absent if no origins are configured. */
  cors?: { readonly origin: string | undefined; readonly preflight: boolean }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** An Express response whose `locals` hold the fields of a stage. */
export type Answer<Has extends object = Identified> = Response<unknown, Has & Notes>

/** An Express middleware that declares which `locals` it needs, and which it adds before it calls `next`. */
export interface Step<Needs extends object = object, Adds extends object = object> {
  (req: Request, res: Answer<Needs & Partial<Adds>>, next: NextFunction): Promise<void> | undefined | void
  /** Never set: carries the type for the compiler. */
  readonly adds?: Adds
}

export type Headers = Record<string, string | number>

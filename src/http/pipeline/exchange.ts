import type { NextFunction, Request, Response } from 'express'
import type { Operation } from '../../contract/contract.js'
import type { Caller, Principal } from '../../contract/operations.js'

/*
 * `res.locals` by stage: Received → Routed → Authorised → Parsed → Checked. A step needs one stage and adds a part of the
 * next; step-list.ts holds them to it.
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
  /** Looks at the secret once more, for what takes long. 401 when it no longer holds. */
  stillHolds: () => Promise<void>
}

export interface Parsed extends Authorised {
  /** Decoded by `query`; the validator turns digits into numbers and fills in defaults. */
  query: Record<string, unknown>
  encoding: Encoding
  /** The body of an operation that takes it a piece at a time; any other body is in `req.body`. */
  stream: AsyncIterable<Uint8Array> | undefined
}

export interface Checked extends Parsed {
  /** The handler's part of the request; it fits the contract. */
  input: {
    readonly path: unknown
    readonly query: unknown
    readonly headers: unknown
    readonly body: unknown
  }
  /** Known to reach the graph that the request names. */
  caller: Caller
}

/** The share of a request in the limit on requests under way. Paused while the request waits for its client. */
export interface Slot {
  pause(): void
  resume(): void
}

/** `Slot` by its old name, for steps/stream.ts. */
export type Place = Slot

/** Fields that any step may set, and none may rely on. */
interface Notes {
  /** The route's template or the operation's id, for the log. */
  route?: string
  /** For the log. */
  error?: unknown
  /** The error came when a part of the answer had been sent already. */
  cutShort?: boolean
  /** Absent until the caller is authenticated. */
  slot?: Slot
  /** How much the caller's key may still ask; absent where nothing is limited. */
  rateLimit?: { readonly policy: string; readonly state: string }
  /** The origin of the page that asks, if it is a listed one; absent where none is listed. */
  cors?: { readonly origin: string | undefined; readonly preflight: boolean }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** The answer under way, with what is known of the request so far. */
export type Answer<Has extends object = Identified> = Response<unknown, Has & Notes>

/** An express middleware that says what it needs to be known, and what it adds before it calls `next`. */
export interface Step<Needs extends object = object, Adds extends object = object> {
  (req: Request, res: Answer<Needs & Partial<Adds>>, next: NextFunction): Promise<void> | undefined | void
  /** For the compiler alone. */
  readonly adds?: Adds
}

export type Headers = Record<string, string | number>

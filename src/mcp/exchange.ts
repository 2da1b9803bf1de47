import type { Scope } from '../domain/keys.js'

/** A message over HTTP from a known caller, and how to ask the service as that caller. */
interface McpExchange {
  readonly request: Request
  readonly message: unknown
  /** Undefined where the address names none and the key reaches more than one. */
  readonly graphId: string | undefined
  readonly scopes: readonly Scope[]
  /** Whether the address that was asked allows erasing. */
  readonly isErasing: boolean
  readonly secret: string
  readonly fetch: Fetch
  /** To be told of what is no fault of the caller. */
  readonly failed: (error: unknown) => void
}

export type McpEndpoint = (exchange: McpExchange) => Promise<Response>

export type Fetch = (request: Request) => Promise<Response>

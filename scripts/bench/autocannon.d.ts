/** The part of autocannon that the benchmarks use; the package has no types of its own. */
declare module 'autocannon' {
  export interface Request {
    readonly method: string
    readonly path: string
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }
  export interface Options {
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    /** In seconds. */
    readonly duration: number
    readonly connections: number
    readonly requests?: readonly Request[]
  }
  export interface Result {
    readonly requests: { readonly total: number }
    /** In seconds. */
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
  }
  export default function autocannon(options: Options): Promise<Result>
}

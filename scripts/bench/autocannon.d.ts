/** What the benchmark of writes uses besides. */
declare module 'autocannon' {
  interface Request {
    readonly method: string
    readonly path: string
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }
  interface Options {
    readonly requests?: readonly Request[]
  }
}

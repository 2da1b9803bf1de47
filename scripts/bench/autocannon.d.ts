/** The part of autocannon that the benchmarks use; the package has no types of its own. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    /** In seconds. */
    readonly duration: number
    readonly connections: number
  }
  export interface Result {
    readonly requests: { readonly total: number }
    /** In seconds. */
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}

/** The part of autocannon that the benchmark uses; the package has no types of its own. */
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly duration: number
    readonly connections: number
  }
  interface Result {
    readonly requests: { readonly total: number }
    /** In seconds. */
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}

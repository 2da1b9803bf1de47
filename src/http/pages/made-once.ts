/** Calls `make` at the first use and shares its result. A failure is not kept: the next use tries again. */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= make().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

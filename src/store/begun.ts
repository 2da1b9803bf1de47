/** The same items once the first has come, so that nothing is done for a caller who sends none. */
export async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const source = items[Symbol.asyncIterator]()
  const first = await source.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  })()
}

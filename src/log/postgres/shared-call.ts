export type SharedCall<T> = (ids: readonly string[]) => Promise<T>

/**
 * Combines concurrent calls into one, as etcd's ReadIndex does. Calls that arrive while one is running share the next one, so
 * that no result comes from work that began before the call, and all of them use one connection. A result also covers the ids
 * of other calls.
 */
export function sharedCall<T>(work: (ids: readonly string[]) => Promise<T>): SharedCall<T> {
  let asked = new Set<string>()
  let next: Promise<T> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function afterLast(): Promise<T> {
    await last
    const ids = [...asked]
    asked = new Set()
    next = undefined
    const result = work(ids)
    last = result.catch(() => undefined)
    return result
  }

  return (ids) => {
    for (const id of ids) asked.add(id)
    next ??= afterLast()
    return next
  }
}

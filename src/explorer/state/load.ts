import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { LoregraphClient } from '../../client/index.js'
import { useLive } from './live.js'
import { type Refusal, toRefusal } from './refusal.js'
import { useSession } from './session.js'

export interface Loaded<Data> {
  /** What came last, also while it is being asked for again. */
  readonly data?: Data
  /** Why there is nothing, or nothing newer. */
  readonly refusal?: Refusal
  readonly isLoading: boolean
  reload(): void
}

interface State<Data> extends Omit<Loaded<Data>, 'reload'> {
  readonly key: string
}

const AGAIN_MS = 2_000

/** As `useLoad`, again with every change of the graph that is looked at. */
export function useLiveLoad<Data>(key: string, load: Load<Data>): Loaded<Data> {
  return useLoad(key, load, useLive().version)
}

type Load<Data> = (client: LoregraphClient) => Promise<Data>

/**
 * Loads what a view shows. Another `key` is another thing, and what was shown goes; another `version` is the same thing
 * again, and what was shown stays until the new comes. When the service does not answer it is asked again by itself.
 */
export function useLoad<Data>(key: string, load: Load<Data>, version = 0): Loaded<Data> {
  const { client, signOut } = useSession()
  const [state, setState] = useState<State<Data>>({ key, isLoading: true })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }))
    latest.current(client).then(
      (data) => !isOver && setState({ key, data, isLoading: false }),
      (reason: unknown) => {
        if (isOver) return
        const refusal = toRefusal(reason)
        if (refusal.status === 401) return signOut(refusal.message)
        setState((before) => ({ ...before, key, refusal, isLoading: false }))
        if (refusal.isUnreachable) timer = setTimeout(() => setTurn((last) => last + 1), AGAIN_MS)
      },
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [key, version, turn])
  const reload = useCallback(() => setTurn((last) => last + 1), [])
  if (state.key !== key) return { isLoading: true, reload }
  return { ...state, reload }
}

/** Does the same with each, a few at a time: a browser has six connections, and one of them follows the graph. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = 4,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      const item = items[index]
      if (item !== undefined) results[index] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

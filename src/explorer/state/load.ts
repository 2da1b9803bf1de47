import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
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

interface State<Data> {
  readonly key: string
  readonly data?: Data
  readonly refusal?: Refusal
  readonly isLoading: boolean
}

const AGAIN_MS = 2_000

/**
 * Loads what a view shows. Another `key` is another thing, and what was shown goes; another `version` is the same thing
 * again, and what was shown stays until the new comes. When the service does not answer it is asked again by itself.
 */
export function useLoad<Data>(key: string, load: () => Promise<Data>, version = 0): Loaded<Data> {
  const { signOut } = useSession()
  const [state, setState] = useState<State<Data>>({ key, isLoading: true })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }))
    latest.current().then(
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

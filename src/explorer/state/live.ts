import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { type Connection, followGraph, type News } from './follow.js'
import { useSession } from './session.js'

/** What happens in the graph that is looked at, while it is looked at. */
interface Live {
  readonly connection: Connection
  /** The latest first. */
  readonly news: readonly News[]
  /** Rises with every change, a few changes at a time. */
  readonly version: number
}

const NOTHING: Live = { connection: 'connecting', news: [], version: 0 }
const LiveContext = createContext<Live>(NOTHING)
export const LiveProvider = LiveContext.Provider
export const useLive = (): Live => useContext(LiveContext)

const MAX_NEWS = 8
/** A hundred statements in a moment are one reason to look again. */
const GATHER_MS = 250

export function useFollowed(graphId: string | undefined): Live {
  const { client } = useSession()
  const [live, setLive] = useState<Live>(NOTHING)
  useEffect(() => {
    setLive(NOTHING)
    if (graphId === undefined) return
    const stop = new AbortController()
    let gathered: News[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer = undefined
      const news = gathered
      gathered = []
      setLive((last) => ({
        ...last,
        version: last.version + 1,
        news: [...news.reverse(), ...last.news].slice(0, MAX_NEWS),
      }))
    }
    const follower = {
      connection: (connection: Connection) => setLive((last) => ({ ...last, connection })),
      changed(news?: News) {
        if (news !== undefined) gathered.push(news)
        timer ??= setTimeout(tell, GATHER_MS)
      },
    }
    void followGraph(client, graphId, follower, stop.signal)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [client, graphId])
  return live
}

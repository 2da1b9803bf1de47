import { useMemo, useState } from 'preact/hooks'
import { Frame } from './parts/frame.js'
import { Heading } from './parts/heading.js'
import { Notice } from './parts/notice.js'
import { LiveProvider, useFollowed } from './state/live.js'
import { type Route, useRoute } from './state/route.js'
import { clientFor, keptSecret, type Session, SessionProvider, saveSecret } from './state/session.js'
import { Around } from './views/around.js'
import { Ask } from './views/ask.js'
import { Context } from './views/context.js'
import { Contexts, ContextType } from './views/contexts.js'
import { Erase } from './views/erase.js'
import { Graph } from './views/graph.js'
import { Graphs } from './views/graphs.js'
import { Inbox } from './views/inbox.js'
import { MemoryLink } from './views/memory.js'
import { SignIn } from './views/sign-in.js'

export function App() {
  const [secret, setSecret] = useState(keptSecret)
  const [why, setWhy] = useState<string>()
  const session = useMemo((): Session | undefined => {
    if (secret === undefined) return undefined
    return {
      client: clientFor(secret),
      signOut(reason) {
        saveSecret(undefined)
        setWhy(reason)
        setSecret(undefined)
      },
    }
  }, [secret])
  if (session === undefined) {
    const enter = (entered: string) => {
      saveSecret(entered)
      setSecret(entered)
    }
    return <SignIn why={why} enter={enter} />
  }
  return (
    <SessionProvider value={session}>
      <Signed />
    </SessionProvider>
  )
}

function Signed() {
  const route = useRoute()
  const [head, graph, part] = route.path
  const followed = head === 'graphs' ? graph : undefined
  const live = useFollowed(followed)
  return (
    <LiveProvider value={live}>
      <Frame graph={followed} part={part}>
        <View {...route} />
      </Frame>
    </LiveProvider>
  )
}

/** The view that an address stands for. */
function View({ path, query }: Route) {
  const [head, graph, part, ...rest] = path
  const [type, name, last] = rest
  const asked = (key: string) => query.get(key) ?? ''
  if (head === undefined) return <Graphs />
  if (head !== 'graphs' || graph === undefined) return <Nowhere />
  if (part === undefined) return <Graph key={graph} graph={graph} />
  if (part === 'ask') return <Ask graph={graph} task={asked('task')} day={asked('as_of')} />
  if (part === 'inbox') return <Inbox graph={graph} />
  if (part === 'erase') {
    const [context, memory] = [asked('context') || undefined, asked('memory') || undefined]
    return <Erase key={`${context} ${memory}`} graph={graph} context={context} memory={memory} />
  }
  if (part === 'memories' && type !== undefined) return <MemoryLink graph={graph} id={type} />
  if (part !== 'contexts') return <Nowhere />
  if (type === undefined) return <Contexts graph={graph} query={asked('q')} />
  if (name === undefined) return <ContextType key={type} graph={graph} type={type} />
  if (last === 'around')
    return <Around graph={graph} type={type} name={name} depth={/^[123]$/.exec(asked('depth'))?.[0] ?? '2'} />
  return (
    <Context
      key={`${type}:${name}`}
      graph={graph}
      type={type}
      name={name}
      memory={asked('memory') || undefined}
    />
  )
}

function Nowhere() {
  return (
    <>
      <Heading title="Nothing is here" />
      <Notice title="This address leads nowhere" link={{ href: '#/', label: 'All graphs' }} />
    </>
  )
}

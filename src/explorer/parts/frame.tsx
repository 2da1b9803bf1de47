import type { ComponentChildren } from 'preact'
import { useLive } from '../state/live.js'
import { toAsk, toContext, toContexts, toGraph, toInbox } from '../state/route.js'
import { useSession } from '../state/session.js'

interface FrameProps {
  readonly graph?: string | undefined
  /** Which part of the graph is looked at. */
  readonly part?: string | undefined
  readonly children: ComponentChildren
}

/** What stands around every view: where one can go, and whether what is shown is live. */
export function Frame({ graph, part, children }: FrameProps) {
  const { signOut } = useSession()
  const links =
    graph === undefined
      ? []
      : [
          { href: toGraph(graph), label: 'Overview', isHere: part === undefined || part === 'erase' },
          { href: toContexts(graph), label: 'Contexts', isHere: part === 'contexts' || part === 'memories' },
          { href: toAsk(graph), label: 'Ask', isHere: part === 'ask' },
          { href: toInbox(graph), label: 'Inbox', isHere: part === 'inbox' },
        ]
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href="#/">
          Loregraph
        </a>
        {graph !== undefined && (
          <nav class="tabs-bar" aria-label={`Graph ${graph}`}>
            {links.map(({ href, label, isHere }) => (
              <a key={label} href={href} aria-current={isHere ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        )}
        <div class="bar-end">
          {graph !== undefined && <Pulse graph={graph} />}
          <a href="/docs">Docs</a>
          <button type="button" class="plain" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

const WORDS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
  ended: 'Not live',
}

function Pulse({ graph }: { graph: string }) {
  const { connection, news } = useLive()
  const latest = news[0]
  return (
    <span class={`pulse pulse-${connection}`} role="status">
      <span class="pulse-words">{WORDS[connection]}</span>
      {connection === 'live' && latest !== undefined && (
        <a class="pulse-news" href={toContext(graph, latest.contextId, latest.memoryId)}>
          new in {latest.contextId}
        </a>
      )}
    </span>
  )
}

import { useEffect, useState } from 'preact/hooks'

/** Where the reader is: the part of the address after `#`, so that every view has a link of its own. */
export interface Route {
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** A link to a view, e.g. `routeTo(['graphs', 'demo', 'ask'], { task: 'Why?' })`. */
export function routeTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

/** Parts a context id at its first colon. */
export function partsOf(contextId: string): [type: string, name: string] {
  const colon = contextId.indexOf(':')
  return [contextId.slice(0, colon), contextId.slice(colon + 1)]
}

export const toGraph = (graph: string) => routeTo(['graphs', graph])
export const toContexts = (graph: string, ...type: string[]) =>
  routeTo(['graphs', graph, 'contexts', ...type])
export const toContext = (graph: string, contextId: string, memory?: string) =>
  routeTo(['graphs', graph, 'contexts', ...partsOf(contextId)], { memory })
export const toAround = (graph: string, contextId: string, depth?: string) =>
  routeTo(['graphs', graph, 'contexts', ...partsOf(contextId), 'around'], { depth })
export const toMemory = (graph: string, memory: string) => routeTo(['graphs', graph, 'memories', memory])
export const toAsk = (graph: string, query?: { task?: string; as_of?: string | undefined }) =>
  routeTo(['graphs', graph, 'ask'], query)
export const toInbox = (graph: string) => routeTo(['graphs', graph, 'inbox'])
export const toErase = (graph: string, what: { context?: string; memory?: string } = {}) =>
  routeTo(['graphs', graph, 'erase'], what)

export function go(target: string): void {
  location.hash = target
}

/** The same view with another address, without a step back to what it was. */
export function replaceRoute(target: string): void {
  history.replaceState(null, '', target)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return parseRoute(hash)
}

/** An address that somebody typed may hold anything. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

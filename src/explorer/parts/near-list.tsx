import { useRef } from 'preact/hooks'
import type { Pointer } from '../state/pointer.js'
import { toAround, toContext } from '../state/route.js'
import type { ContextLink, NearContext, Neighbourhood } from '../state/types.js'
import { count, KINDS, readable } from '../state/words.js'

interface NearListProps {
  readonly graph: string
  readonly neighbourhood: Neighbourhood
  readonly depth: string
  readonly pointer: Pointer
}

const HOPS = ['', 'One link away', 'Two links away', 'Three links away']
/** Of each context: the others can be seen by walking there. */
const MAX_LINKS = 4

/** What lies around a context, as a list: arrow keys move in it, Enter walks. */
export function NearList({ graph, neighbourhood, depth, pointer }: NearListProps) {
  const list = useRef<HTMLDivElement>(null)
  const links = linksOf(neighbourhood)
  const others = neighbourhood.contexts.slice(1)
  const move = (event: { key: string; preventDefault(): void }) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const items = list.current?.querySelectorAll<HTMLElement>('a.near') ?? []
    const here = [...items].indexOf(document.activeElement as HTMLElement)
    items[Math.max(0, Math.min(items.length - 1, here + step))]?.focus()
  }
  // Past the list with one key: only the links of the item that had the focus last are on the way.
  const enter = (item: Element | null) => {
    for (const link of list.current?.querySelectorAll<HTMLElement>('a[tabindex="0"]') ?? [])
      link.tabIndex = -1
    for (const link of item?.querySelectorAll<HTMLElement>('a') ?? []) link.tabIndex = 0
  }
  return (
    <div class="near-list" ref={list}>
      {[1, 2, 3].map((distance) => {
        const band = others.filter((context) => context.distance === distance)
        if (band.length === 0) return null
        return (
          <section key={distance} aria-label={HOPS[distance]}>
            <h2>{HOPS[distance]}</h2>
            <ul class="list">
              {band.map((context) => {
                const isFirst = context === others[0]
                return (
                  <li key={context.context_id} class="near-item">
                    <a
                      class="near"
                      href={toAround(graph, context.context_id, depth)}
                      tabIndex={isFirst ? 0 : -1}
                      onKeyDown={move}
                      onFocus={(event) => {
                        enter(event.currentTarget.parentElement)
                        pointer.point(context.context_id)
                      }}
                      onMouseEnter={() => pointer.point(context.context_id)}
                    >
                      <span class="list-name">
                        <span class="type">{readable(context.context_type)}</span>
                        {readable(context.context_name)}
                      </span>
                      <Links context={context} links={links.get(context.context_id) ?? []} />
                    </a>
                    <a class="small" tabIndex={isFirst ? 0 : -1} href={toContext(graph, context.context_id)}>
                      {count(context.memory_count, 'memory', 'memories')}
                    </a>
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function Links({ context, links }: { context: NearContext; links: readonly ContextLink[] }) {
  const said = inWords(context, links)
  return (
    <span class="near-links">
      {said.slice(0, MAX_LINKS).map(({ key, kind, words, weight }) => (
        <span key={key} class={`kind tone-${kind}`}>
          {words}
          {weight > 1 && ` ×${weight}`}
        </span>
      ))}
      {said.length > MAX_LINKS && <span class="kind">and {said.length - MAX_LINKS} more</span>}
    </span>
  )
}

/** Two contexts that have to do with each other say so from both sides: that is said once. */
function inWords(context: NearContext, links: readonly ContextLink[]) {
  const said = new Map<string, { key: string; kind: ContextLink['kind']; words: string; weight: number }>()
  for (const { from, to, kind, weight } of links) {
    const isOut = from === context.context_id
    const other = isOut ? to : from
    const verb = KINDS[kind][isOut ? 'out' : 'into']
    const key = `${verb} ${other}`
    const words = `${verb} ${readable(other.replace(/^[^:]*:/, ''))}`
    said.set(key, { key, kind, words, weight: weight + (said.get(key)?.weight ?? 0) })
  }
  return [...said.values()]
}

/** Of each context, its links with those that lie nearer. */
function linksOf({ contexts, relationships }: Neighbourhood): Map<string, ContextLink[]> {
  const distances = new Map(contexts.map(({ context_id, distance }) => [context_id, distance]))
  const found = new Map<string, ContextLink[]>()
  for (const link of relationships) {
    const further = (distances.get(link.from) ?? 0) > (distances.get(link.to) ?? 0) ? link.from : link.to
    found.set(further, [...(found.get(further) ?? []), link])
  }
  return found
}

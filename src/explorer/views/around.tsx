import { useEffect, useMemo, useState } from 'preact/hooks'
import { Heading } from '../parts/heading.js'
import { NearList } from '../parts/near-list.js'
import { Notice, WhenLoaded } from '../parts/notice.js'
import { Picture, preparePicture } from '../pictures/picture.js'
import { useLiveLoad } from '../state/load.js'
import { createPointer } from '../state/pointer.js'
import { answered } from '../state/refusal.js'
import { go, toAround, toContext, toContexts, toGraph } from '../state/route.js'
import { count, KINDS, readable } from '../state/words.js'

interface AroundProps {
  readonly graph: string
  readonly type: string
  readonly name: string
  readonly depth: string
}

const DEPTHS = ['1', '2', '3']
const MOST = 1000

/** What lies around a context: a picture, and the same as a list. */
export function Around({ graph, type, name, depth }: AroundProps) {
  const pointer = useMemo(createPointer, [])
  const [tab, setTab] = useState<'list' | 'picture'>('list')
  useEffect(preparePicture, [])
  const id = `${type}:${name}`
  const path = { graph_id: graph, context_type: type, name }
  const loaded = useLiveLoad(`around ${graph} ${id} ${depth}`, (client) =>
    answered(
      client.GET('/v1/contexts/{graph_id}/{context_type}/{name}/neighbourhood', {
        params: { path, query: { depth: Number(depth), limit: MOST } },
      }),
    ),
  )
  const crumbs = [
    { href: toGraph(graph), label: graph },
    { href: toContexts(graph, type), label: readable(type) },
    { href: toContext(graph, id), label: readable(name) },
  ]
  return (
    <>
      <Heading title={`Around ${readable(name)}`} crumbs={crumbs}>
        <nav class="segments" aria-label="How far">
          {DEPTHS.map((value) => (
            <a
              key={value}
              href={toAround(graph, id, value)}
              aria-current={value === depth ? 'page' : undefined}
            >
              {count(Number(value), 'link')}
            </a>
          ))}
        </nav>
      </Heading>
      <WhenLoaded
        loaded={loaded}
        what="what lies around it"
        back={{ href: toContexts(graph), label: 'All contexts' }}
      >
        {(neighbourhood) => {
          const { contexts, relationships, left_out } = neighbourhood
          if (contexts.length === 1) return <Notice title="Nothing is linked with it" />
          return (
            <>
              <p class="muted" role="status">
                {count(contexts.length - 1, 'context')} and {count(relationships.length, 'link')}
                {left_out.contexts > 0 &&
                  `; ${count(left_out.contexts, 'context')} more left out, the nearest are shown`}
              </p>
              <Legend />
              <fieldset class="tabs" aria-label="List or picture">
                {(['list', 'picture'] as const).map((one) => (
                  <button key={one} type="button" aria-pressed={tab === one} onClick={() => setTab(one)}>
                    {one === 'list' ? 'List' : 'Picture'}
                  </button>
                ))}
              </fieldset>
              <div class={`around around-${tab}`}>
                <NearList
                  key={id}
                  graph={graph}
                  neighbourhood={neighbourhood}
                  depth={depth}
                  pointer={pointer}
                />
                <Picture
                  neighbourhood={neighbourhood}
                  pointer={pointer}
                  walk={(to) => go(to === id ? toContext(graph, to) : toAround(graph, to, depth))}
                />
              </div>
            </>
          )
        }}
      </WhenLoaded>
    </>
  )
}

function Legend() {
  return (
    <ul class="legend" aria-label="Kinds of links">
      {Object.entries(KINDS).map(([kind, { out }]) => (
        <li key={kind}>
          <svg viewBox="0 0 32 8" aria-hidden="true">
            <path class={`line tone-${kind}`} d="M0 4h32" />
          </svg>
          {out}
        </li>
      ))}
      <li class="muted">thicker: more memories say so</li>
    </ul>
  )
}

import type { Core, NodeSingular } from 'cytoscape'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Pointer } from '../state/pointer.js'
import type { Neighbourhood } from '../state/types.js'
import { count } from '../state/words.js'
import { elementsOf, styleOf } from './picture-style.js'

interface PictureProps {
  readonly neighbourhood: Neighbourhood
  /** Says which context the reader points at in the list. */
  readonly pointer: Pointer
  walk(contextId: string): void
}

/** The neighbourhood drawn. Those who cannot see it have the list beside it, which holds the same. */
export function Picture({ neighbourhood, pointer, walk }: PictureProps) {
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<Core | undefined>(undefined)
  const walking = useRef(walk)
  walking.current = walk
  const [failure, setFailure] = useState<string>()
  const content = JSON.stringify([neighbourhood.contexts, neighbourhood.relationships])
  useEffect(() => {
    let isOver = false
    let stop: (() => void) | undefined
    draw(box.current, neighbourhood, (id) => walking.current(id)).then(
      (made) => {
        if (isOver) return made.stop()
        drawn.current = made.core
        stop = made.stop
        pointer.listen((id) => {
          made.core.nodes('.pointed').removeClass('pointed')
          pointAt(made.core.getElementById(id))
        })
      },
      () => !isOver && setFailure('The picture could not be loaded. Reload the page to try again.'),
    )
    return () => {
      isOver = true
      drawn.current = undefined
      pointer.listen(undefined)
      stop?.()
    }
  }, [content, pointer])
  const zoom = (factor: number) => {
    const core = drawn.current
    core?.zoom({
      level: core.zoom() * factor,
      renderedPosition: { x: core.width() / 2, y: core.height() / 2 },
    })
  }
  const label = `${count(neighbourhood.contexts.length, 'context')} and ${count(neighbourhood.relationships.length, 'link')}, drawn in rings by distance. The list holds the same.`
  return (
    <div class="picture">
      {failure === undefined ? (
        <div class="picture-canvas" ref={box} role="img" aria-label={label} />
      ) : (
        <p>{failure}</p>
      )}
      <div class="picture-tools">
        <button type="button" aria-label="Nearer" onClick={() => zoom(1.4)}>
          +
        </button>
        <button type="button" aria-label="Further away" onClick={() => zoom(1 / 1.4)}>
          −
        </button>
        <button type="button" onClick={() => drawn.current && showAll(drawn.current)}>
          All
        </button>
      </div>
    </div>
  )
}

function pointAt(node: NodeSingular): void {
  node.data('letters', lettersFor(node.cy())).addClass('pointed')
}

/** The name of what is pointed at can be read however far away it is. */
const lettersFor = (core: Core) => 12 / Math.min(core.zoom(), 1)

const load = () => import('cytoscape')

/** Fetches what draws, while what is to be drawn is still being asked for. */
export function preparePicture(): void {
  // It is tried again when it is needed, and what goes wrong is told then.
  load().catch(() => undefined)
}

async function draw(container: HTMLElement | null, neighbourhood: Neighbourhood, walk: (id: string) => void) {
  const { default: cytoscape } = await load()
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const core = cytoscape({
    container,
    elements: elementsOf(neighbourhood),
    style: styleOf(neighbourhood),
    layout: { name: 'preset' },
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
    // The wheel scrolls the page; two fingers come nearer.
    userZoomingEnabled: matchMedia('(pointer: coarse)').matches,
    minZoom: 0.05,
    maxZoom: 3,
    hideEdgesOnViewport: neighbourhood.relationships.length > 2000,
    textureOnViewport: neighbourhood.contexts.length > 200,
  })
  core.on('tap', 'node', (event) => walk(event.target.id()))
  core.on('mouseover', 'node', (event) => pointAt(event.target))
  core.on('zoom', () => void core.nodes('.pointed').data('letters', lettersFor(core)))
  core.on('mouseout', 'node', (event) => void event.target.removeClass('pointed'))
  showAll(core)
  const repaint = () => core.style(styleOf(neighbourhood))
  isDark.addEventListener('change', repaint)
  const watch = new ResizeObserver(() => showAll(core.resize()))
  if (container !== null) watch.observe(container)
  return {
    core,
    stop() {
      isDark.removeEventListener('change', repaint)
      watch.disconnect()
      core.destroy()
    },
  }
}

/** All of it, but a few contexts are not blown up to fill the place. */
function showAll(core: Core): void {
  core.fit(undefined, 24)
  if (core.zoom() > 1.2) core.zoom(1.2).center()
}

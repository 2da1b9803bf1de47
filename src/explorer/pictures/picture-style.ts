import type { ElementDefinition, StylesheetJson } from 'cytoscape'
import type { Neighbourhood, RelationshipKind } from '../state/types.js'
import { readable, shortened } from '../state/words.js'
import { ringsOf } from './rings.js'

const LINES: Readonly<Record<RelationshipKind, string>> = {
  reinforcement: 'solid',
  extension: 'dashed',
  contradiction: 'solid',
  'related-to': 'dotted',
}

const MANY = 60
/** More than these have a name only while they are pointed at. */
const MAX_NAMED = 200

export function elementsOf(neighbourhood: Neighbourhood): ElementDefinition[] {
  const { contexts, relationships } = neighbourhood
  const spots = ringsOf(neighbourhood)
  const nodes = contexts.map(({ context_id, context_name, memory_count, distance }) => ({
    data: {
      id: context_id,
      label: shortened(readable(context_name), 28),
      size: 14 + Math.min(Math.log2(1 + memory_count) * 5, 24),
      distance,
    },
    position: { ...(spots.get(context_id) ?? { x: 0, y: 0 }) },
  }))
  const edges = relationships.map(({ from, to, kind, weight }) => ({
    // Longer than any name may be, so that no context has the id of a link.
    data: {
      id: `link ${kind} ${from} ${to}`.padEnd(600),
      source: from,
      target: to,
      kind,
      width: widthOf(weight),
    },
  }))
  return [...nodes, ...edges]
}

const widthOf = (weight: number) => 1.5 + Math.min(Math.log2(weight) * 1.5, 7)

/** The colours are those of the page, light or dark. */
export function styleOf({ contexts }: Neighbourhood): StylesheetJson {
  const page = getComputedStyle(document.documentElement)
  const colour = (name: string) => page.getPropertyValue(`--${name}`).trim()
  const isMany = contexts.length > MANY
  return [
    {
      selector: 'node',
      style: {
        width: 'data(size)',
        height: 'data(size)',
        'background-color': colour('node'),
        ...(contexts.length <= MAX_NAMED && { label: 'data(label)' }),
        color: colour('ink'),
        'font-family': 'system-ui, sans-serif',
        'font-size': 12,
        'min-zoomed-font-size': isMany ? 9 : 0,
        'text-valign': 'bottom',
        'text-margin-y': 5,
        'text-background-color': colour('surface'),
        'text-background-opacity': 0.8,
        'text-background-padding': '2px',
      },
    },
    {
      selector: 'node[distance = 0]',
      style: { label: 'data(label)', 'background-color': colour('accent'), 'font-weight': 'bold' },
    },
    {
      selector: 'node.pointed',
      style: {
        label: 'data(label)',
        'font-size': 'data(letters)',
        'border-width': 4,
        'border-color': colour('accent'),
        'min-zoomed-font-size': 0,
        'z-index': 10,
      },
    },
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'curve-style': isMany ? 'straight' : 'bezier',
        'target-arrow-shape': isMany ? 'none' : 'triangle',
        'arrow-scale': 0.8,
        opacity: isMany ? 0.5 : 0.9,
      },
    },
    ...(Object.keys(LINES) as RelationshipKind[]).map((kind) => ({
      selector: `edge[kind = "${kind}"]`,
      style: {
        'line-style': LINES[kind] as 'solid',
        'line-color': colour(`link-${kind}`),
        'target-arrow-color': colour(`link-${kind}`),
        ...(kind === 'contradiction' && !isMany && { 'target-arrow-shape': 'tee' as const }),
      },
    })),
  ]
}

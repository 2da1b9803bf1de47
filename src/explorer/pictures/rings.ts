import type { Neighbourhood } from '../state/types.js'

interface Spot {
  readonly x: number
  readonly y: number
}

/** Labels fit between few; among many they appear as the reader comes nearer. */
const FEW = 40
const WIDE = 130
const NARROW = 34

/**
 * Where each context of a neighbourhood is drawn: on rings around the middle, one band of rings for each distance. The
 * same neighbourhood gives the same picture. Further out, contexts keep to the side of what links them to the middle.
 */
export function ringsOf({ contexts, relationships }: Neighbourhood): Map<string, Spot> {
  const spacing = contexts.length <= FEW ? WIDE : NARROW
  const near = nearer(contexts, relationships)
  const angles = new Map<string, number>()
  const spots = new Map<string, Spot>()
  let radius = 0
  for (const distance of [0, 1, 2, 3]) {
    const band = contexts
      .filter((context) => context.distance === distance)
      .map(({ context_id }) => context_id)
    if (distance > 1) sortBy(band, (id) => angles.get(near.get(id) ?? '') ?? 0)
    for (let placed = 0; placed < band.length; radius += spacing) {
      const room = distance === 0 ? 1 : Math.max(6, Math.floor((2 * Math.PI * radius) / spacing))
      const ring = band.slice(placed, placed + room)
      ring.forEach((id, index) => {
        const angle = ((index + 0.5) / ring.length) * 2 * Math.PI - Math.PI / 2
        angles.set(id, angle)
        spots.set(id, { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius })
      })
      placed += ring.length
    }
    radius += spacing / 3
  }
  return spots
}

/** For each context, one that is linked with it and lies nearer to the middle. */
function nearer(
  contexts: Neighbourhood['contexts'],
  relationships: Neighbourhood['relationships'],
): Map<string, string> {
  const distances = new Map(contexts.map(({ context_id, distance }) => [context_id, distance]))
  const found = new Map<string, string>()
  for (const { from, to } of relationships)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      if (!found.has(one) && (distances.get(other) ?? 0) < (distances.get(one) ?? 0)) found.set(one, other)
  return found
}

function sortBy(ids: string[], key: (id: string) => number): void {
  ids.sort((a, b) => key(a) - key(b))
}

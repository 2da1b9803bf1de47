/**
 * For each of the others, 0..1: the weighted share of stems in common with `own`, by the smaller of the two. Stems are
 * distinct, in the order of their first occurrence; `weigh` says how much one tells.
 */
export function likeness(
  own: Iterable<string>,
  others: readonly Iterable<string>[],
  weigh: (stem: string) => number,
): number[] {
  const held = new Set(own)
  let ownWeight = 0
  for (const stem of held) ownWeight += weigh(stem)
  return others.map((other) => {
    let shared = 0
    let weight = 0
    for (const stem of other) {
      const value = weigh(stem)
      weight += value
      if (held.has(stem)) shared += value
    }
    return shared === 0 ? 0 : shared / Math.min(ownWeight, weight)
  })
}

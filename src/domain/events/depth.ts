import type { Json } from '../model.js'

/** How many levels of objects and arrays a value has; counting stops just past `enough`. */
export function depthOf(value: Json, enough: number): number {
  if (value === null || typeof value !== 'object') return 0
  if (enough === 0) return 1
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item, enough - 1))
  return deepest + 1
}

import { CODE_WORDS } from '../../src/domain/meaning/nearness.js'

/** In how many of their signs two codes differ, one pair at a time: what the scan must agree with. */
export function hammingDistance(a: Uint32Array, b: Uint32Array): number {
  let distance = 0
  for (let word = 0; word < CODE_WORDS; word++) distance += ones((a[word] ?? 0) ^ (b[word] ?? 0))
  return distance
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

import { across, exp } from './functions'
import { HEAD, HEADS, HIDDEN, KEYS, MIXED, QUERIES, SCORES, VALUES } from './layout'

const ROW: usize = HIDDEN * 4
/** One over the square root of the size of a head, 32. */
const TEMPER: f32 = 0.17677669529663687

/** For each token and head: the values of all tokens, each as much as its key agrees with the token's query. */
export function attend(tokens: usize): void {
  for (let head: usize = 0; head < HEADS; head++) {
    const at = head * HEAD * 4
    for (let token: usize = 0; token < tokens; token++) {
      const place = token * ROW + at
      const total = weigh(QUERIES + place, KEYS + at, tokens)
      mix(MIXED + place, VALUES + at, tokens, f32x4.splat(<f32>1 / total))
    }
  }
}

/** Writes e to the power of each score, less the greatest, to `SCORES`; returns their sum. */
function weigh(query: usize, keys: usize, tokens: usize): f32 {
  let most: f32 = -Infinity
  for (let other: usize = 0; other < tokens; other++) {
    const key = keys + other * ROW
    let sum = f32x4.splat(0)
    for (let i: usize = 0; i < HEAD * 4; i += 16)
      sum = f32x4.add(sum, f32x4.mul(v128.load(query + i), v128.load(key + i)))
    const score = across(sum) * TEMPER
    most = max(most, score)
    store<f32>(SCORES + other * 4, score)
  }
  let total: f32 = 0
  const greatest = f32x4.splat(most)
  for (let other: usize = 0; other < tokens; other += 4) {
    const place = SCORES + other * 4
    v128.store(place, exp(f32x4.sub(v128.load(place), greatest)))
  }
  for (let other: usize = 0; other < tokens; other++) total += load<f32>(SCORES + other * 4)
  return total
}

/** The values weighted by `SCORES`, times `share`. */
function mix(out: usize, values: usize, tokens: usize, share: v128): void {
  // Half a head at a time: four sums stay in registers.
  for (let half: usize = 0; half < HEAD * 4; half += 64) {
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    for (let other: usize = 0; other < tokens; other++) {
      const weight = v128.load_splat<f32>(SCORES + other * 4)
      const value = values + other * ROW + half
      a = f32x4.add(a, f32x4.mul(weight, v128.load(value)))
      b = f32x4.add(b, f32x4.mul(weight, v128.load(value, 16)))
      c = f32x4.add(c, f32x4.mul(weight, v128.load(value, 32)))
      d = f32x4.add(d, f32x4.mul(weight, v128.load(value, 48)))
    }
    v128.store(out + half, f32x4.mul(a, share))
    v128.store(out + half, f32x4.mul(b, share), 16)
    v128.store(out + half, f32x4.mul(c, share), 32)
    v128.store(out + half, f32x4.mul(d, share), 48)
  }
}

import { acrossEach, exp, greatest } from './functions'
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
  for (let other: usize = 0; other < tokens; other += 4)
    v128.store(SCORES + other * 4, f32x4.mul(products(query, keys + other * ROW), f32x4.splat(TEMPER)))
  // Behind the last token there may be three that are none.
  const end = (tokens + 3) & ~3
  for (let none = tokens; none < end; none++) store<f32>(SCORES + none * 4, -Infinity)
  let highest = f32x4.splat(-Infinity)
  for (let other: usize = 0; other < end; other += 4)
    highest = f32x4.pmax(highest, v128.load(SCORES + other * 4))
  const most = f32x4.splat(greatest(highest))
  for (let other: usize = 0; other < end; other += 4) {
    const place = SCORES + other * 4
    v128.store(place, exp(f32x4.sub(v128.load(place), most)))
  }
  let total: f32 = 0
  for (let other: usize = 0; other < tokens; other++) total += load<f32>(SCORES + other * 4)
  return total
}

/** The query times four keys: four sums at a time, so that none waits for the one before. */
function products(query: usize, first: usize): v128 {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let c = f32x4.splat(0)
  let d = f32x4.splat(0)
  for (let i: usize = 0; i < HEAD * 4; i += 16) {
    const part = v128.load(query + i)
    a = f32x4.add(a, f32x4.mul(part, v128.load(first + i)))
    b = f32x4.add(b, f32x4.mul(part, v128.load(first + i, ROW)))
    c = f32x4.add(c, f32x4.mul(part, v128.load(first + i, 2 * ROW)))
    d = f32x4.add(d, f32x4.mul(part, v128.load(first + i, 3 * ROW)))
  }
  return acrossEach(a, b, c, d)
}

/** The values weighted by `SCORES`, times `share`: a whole head at a time, so that its sums stay in registers. */
function mix(out: usize, values: usize, tokens: usize, share: v128): void {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let c = f32x4.splat(0)
  let d = f32x4.splat(0)
  let e = f32x4.splat(0)
  let f = f32x4.splat(0)
  let g = f32x4.splat(0)
  let h = f32x4.splat(0)
  for (let other: usize = 0; other < tokens; other++) {
    const weight = v128.load_splat<f32>(SCORES + other * 4)
    const value = values + other * ROW
    a = f32x4.add(a, f32x4.mul(weight, v128.load(value)))
    b = f32x4.add(b, f32x4.mul(weight, v128.load(value, 16)))
    c = f32x4.add(c, f32x4.mul(weight, v128.load(value, 32)))
    d = f32x4.add(d, f32x4.mul(weight, v128.load(value, 48)))
    e = f32x4.add(e, f32x4.mul(weight, v128.load(value, 64)))
    f = f32x4.add(f, f32x4.mul(weight, v128.load(value, 80)))
    g = f32x4.add(g, f32x4.mul(weight, v128.load(value, 96)))
    h = f32x4.add(h, f32x4.mul(weight, v128.load(value, 112)))
  }
  v128.store(out, f32x4.mul(a, share))
  v128.store(out, f32x4.mul(b, share), 16)
  v128.store(out, f32x4.mul(c, share), 32)
  v128.store(out, f32x4.mul(d, share), 48)
  v128.store(out, f32x4.mul(e, share), 64)
  v128.store(out, f32x4.mul(f, share), 80)
  v128.store(out, f32x4.mul(g, share), 96)
  v128.store(out, f32x4.mul(h, share), 112)
}

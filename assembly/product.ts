import { greatest, integers, toNearest } from './functions'
import { ROUNDED, ROUNDED_SCALES, WIDENED } from './layout'

const MOST: f32 = 2047

/** Rounds the activations of each token to 12 bits: integers, so that the sums of products are exact. */
export function round(states: usize, width: usize, tokens: usize): void {
  for (let token: usize = 0; token < tokens; token++) {
    const from = states + token * width * 4
    const most = largest(from, width)
    store<f32>(ROUNDED_SCALES + token * 4, most / MOST)
    const factor = f32x4.splat(most > 0 ? MOST / most : 0)
    const to = ROUNDED + token * width * 2
    for (let i: usize = 0; i < width; i += 8) {
      const low = integers(toNearest(f32x4.mul(v128.load(from + i * 4), factor)))
      const high = integers(toNearest(f32x4.mul(v128.load(from + i * 4, 16), factor)))
      v128.store(to + i * 2, i16x8.narrow_i32x4_s(low, high))
    }
  }
}

function largest(from: usize, width: usize): f32 {
  let most = f32x4.splat(0)
  for (let i: usize = 0; i < width; i += 4) most = f32x4.pmax(most, f32x4.abs(v128.load(from + i * 4)))
  return greatest(most)
}

/**
 * The rounded activations times a matrix (`rows` × `width` int8, then a scale a row, then a bias a row), written to
 * `out` as float32. Four rows and two tokens at a time: eight sums, which is what fits into sixteen registers. With an
 * odd number of tokens one more row of `out` is written, with nothing of meaning in it.
 */
export function multiply(matrix: usize, width: usize, rows: usize, tokens: usize, out: usize): void {
  const scales = matrix + rows * width
  const biases = scales + rows * 4
  for (let row: usize = 0; row < rows; row += 4) {
    widen(matrix + row * width, width)
    const scale = v128.load(scales + row * 4)
    const bias = v128.load(biases + row * 4)
    for (let token: usize = 0; token < tokens; token += 2) {
      let a0 = i32x4.splat(0)
      let a1 = i32x4.splat(0)
      let a2 = i32x4.splat(0)
      let a3 = i32x4.splat(0)
      let b0 = i32x4.splat(0)
      let b1 = i32x4.splat(0)
      let b2 = i32x4.splat(0)
      let b3 = i32x4.splat(0)
      let left = ROUNDED + token * width * 2
      let right = left + width * 2
      let weights = WIDENED
      for (const end = weights + width * 8; weights < end; ) {
        const a = v128.load(left)
        const b = v128.load(right)
        let w = v128.load(weights)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(w, a))
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(w, b))
        w = v128.load(weights, 16)
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(w, a))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(w, b))
        w = v128.load(weights, 32)
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(w, a))
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(w, b))
        w = v128.load(weights, 48)
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(w, a))
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(w, b))
        left += 16
        right += 16
        weights += 64
      }
      const to = out + (token * rows + row) * 4
      v128.store(to, scaled(sums(a0, a1, a2, a3), token, scale, bias))
      v128.store(to + rows * 4, scaled(sums(b0, b1, b2, b3), token + 1, scale, bias))
    }
  }
}

/** The four lanes of each vector added up: one lane for each of them. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

function scaled(sum: v128, token: usize, scale: v128, bias: v128): v128 {
  const both = f32x4.mul(scale, f32x4.splat(load<f32>(ROUNDED_SCALES + token * 4)))
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sum), both), bias)
}

/** Four rows as int16, eight columns of each at a time: once for all tokens. */
function widen(rows: usize, width: usize): void {
  let to = WIDENED
  for (const end = rows + width; rows < end; rows += 8) {
    v128.store(to, v128.load_ext<i8>(rows))
    v128.store(to, v128.load_ext<i8>(rows + width), 16)
    v128.store(to, v128.load_ext<i8>(rows + 2 * width), 32)
    v128.store(to, v128.load_ext<i8>(rows + 3 * width), 48)
    to += 64
  }
}

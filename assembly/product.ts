import { ROUNDED, ROUNDED_SCALES } from './layout'

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
      const low = f32x4.nearest(f32x4.mul(v128.load(from + i * 4), factor))
      const high = f32x4.nearest(f32x4.mul(v128.load(from + i * 4, 16), factor))
      v128.store(
        to + i * 2,
        i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(low), i32x4.trunc_sat_f32x4_s(high)),
      )
    }
  }
}

function largest(from: usize, width: usize): f32 {
  let most = f32x4.splat(0)
  for (let i: usize = 0; i < width; i += 4) most = f32x4.max(most, f32x4.abs(v128.load(from + i * 4)))
  return max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  )
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
    const first = matrix + row * width
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
      let w0 = first
      let w1 = w0 + width
      let w2 = w1 + width
      let w3 = w2 + width
      for (const end = first + width; w0 < end; ) {
        const a = v128.load(left)
        const b = v128.load(right)
        let w = v128.load_ext<i8>(w0)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(w, a))
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(w, b))
        w = v128.load_ext<i8>(w1)
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(w, a))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(w, b))
        w = v128.load_ext<i8>(w2)
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(w, a))
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(w, b))
        w = v128.load_ext<i8>(w3)
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(w, a))
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(w, b))
        left += 16
        right += 16
        w0 += 8
        w1 += 8
        w2 += 8
        w3 += 8
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

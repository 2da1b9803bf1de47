/** Functions of four float32 at once, by polynomials: the host's own would differ from machine to machine. */

/** So large that a float32 beside it has no digits behind the point, and the last ones of its own are those of an integer. */
const SHIFT: f32 = 12582912
const SHIFT_BITS: i32 = 0x4b400000

/** The nearest integers, even ones of two as near, plus `SHIFT`: for numbers below 2 to the power of 22. */
export function toNearest(x: v128): v128 {
  return f32x4.add(x, f32x4.splat(SHIFT))
}

/** What `toNearest` gave, as integers: the conversions of the host take many times as long. */
export function integers(nearest: v128): v128 {
  return i32x4.sub(nearest, i32x4.splat(SHIFT_BITS))
}

/** The exponential, within 2e-7 of it in proportion (Cephes `expf`). Arguments outside -87..87 count as these. */
export function exp(x: v128): v128 {
  const within = f32x4.pmax(f32x4.pmin(x, f32x4.splat(87)), f32x4.splat(-87))
  const nearest = toNearest(f32x4.mul(within, f32x4.splat(<f32>Math.LOG2E)))
  const power = f32x4.sub(nearest, f32x4.splat(SHIFT))
  // The logarithm of two in two parts, the first of them with few digits: the remainder stays exact.
  const coarse = f32x4.sub(within, f32x4.mul(power, f32x4.splat(0.693359375)))
  const rest = f32x4.sub(coarse, f32x4.mul(power, f32x4.splat(-2.1219444e-4)))
  let sum = f32x4.splat(1.98756915e-4)
  sum = next(sum, rest, 1.3981999507e-3)
  sum = next(sum, rest, 8.3334519073e-3)
  sum = next(sum, rest, 4.1665795894e-2)
  sum = next(sum, rest, 1.6666665459e-1)
  sum = next(sum, rest, 5.0000001201e-1)
  const value = f32x4.add(f32x4.add(f32x4.mul(sum, f32x4.mul(rest, rest)), rest), f32x4.splat(1))
  const exponent = i32x4.shl(i32x4.add(integers(nearest), i32x4.splat(127)), 23)
  return f32x4.mul(value, exponent)
}

/** x × Φ(x), with the error function of Abramowitz and Stegun 7.1.26, within 1.5e-7. */
export function gelu(x: v128): v128 {
  const z = f32x4.mul(f32x4.abs(x), f32x4.splat(<f32>Math.SQRT1_2))
  const one = f32x4.splat(1)
  const t = f32x4.div(one, f32x4.add(one, f32x4.mul(z, f32x4.splat(0.3275911))))
  let sum = f32x4.splat(1.061405429)
  sum = next(sum, t, -1.453152027)
  sum = next(sum, t, 1.421413741)
  sum = next(sum, t, -0.284496736)
  sum = next(sum, t, 0.254829592)
  const beyond = f32x4.mul(f32x4.mul(sum, t), exp(f32x4.neg(f32x4.mul(z, z))))
  const tail = f32x4.mul(f32x4.splat(0.5), beyond)
  const negative = f32x4.lt(x, f32x4.splat(0))
  return f32x4.mul(x, v128.bitselect(tail, f32x4.sub(one, tail), negative))
}

/** By the exponential, within 2e-7. */
export function tanh(x: v128): v128 {
  const one = f32x4.splat(1)
  const two = f32x4.splat(2)
  return f32x4.sub(one, f32x4.div(two, f32x4.add(exp(f32x4.mul(two, x)), one)))
}

/** One step of Horner's rule. */
function next(sum: v128, x: v128, coefficient: f32): v128 {
  return f32x4.add(f32x4.mul(sum, x), f32x4.splat(coefficient))
}

/** The sum of the lanes, always in the same order. */
export function across(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) +
    f32x4.extract_lane(x, 1) +
    (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  )
}

/** The greatest of the lanes. */
export function greatest(x: v128): f32 {
  return max(
    max(f32x4.extract_lane(x, 0), f32x4.extract_lane(x, 1)),
    max(f32x4.extract_lane(x, 2), f32x4.extract_lane(x, 3)),
  )
}

/** The sum of the lanes of each of four, in the order of `across`. */
export function acrossEach(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 2, 4, 6), v128.shuffle<f32>(a, b, 1, 3, 5, 7))
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 2, 4, 6), v128.shuffle<f32>(c, d, 1, 3, 5, 7))
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7))
}

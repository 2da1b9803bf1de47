/** Functions of four float32 at once, by polynomials: the host's own would differ from machine to machine. */

/** The exponential, within 2e-7 of it in proportion (Cephes `expf`). Arguments outside -87..87 count as these. */
export function exp(x: v128): v128 {
  const within = f32x4.max(f32x4.min(x, f32x4.splat(87)), f32x4.splat(-87))
  const power = f32x4.nearest(f32x4.mul(within, f32x4.splat(<f32>Math.LOG2E)))
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
  const exponent = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(power), i32x4.splat(127)), 23)
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

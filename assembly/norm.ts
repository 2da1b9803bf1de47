import { across } from './functions'
import { HIDDEN, STATES } from './layout'

const EPSILON: f32 = 1e-12
const SIZE: usize = HIDDEN * 4

/** Brings the states of each token to mean 0 and variance 1, then times the weights and plus the biases of `norm`. */
export function normalise(norm: usize, tokens: usize): void {
  for (let token: usize = 0; token < tokens; token++) {
    const row = STATES + token * SIZE
    let sum = f32x4.splat(0)
    for (let i: usize = 0; i < SIZE; i += 16) sum = f32x4.add(sum, v128.load(row + i))
    const mean = f32x4.splat(across(sum) / <f32>HIDDEN)
    let squares = f32x4.splat(0)
    for (let i: usize = 0; i < SIZE; i += 16) {
      const apart = f32x4.sub(v128.load(row + i), mean)
      squares = f32x4.add(squares, f32x4.mul(apart, apart))
    }
    const spread = f32x4.splat(<f32>1 / sqrt<f32>(across(squares) / <f32>HIDDEN + EPSILON))
    for (let i: usize = 0; i < SIZE; i += 16) {
      const even = f32x4.mul(f32x4.sub(v128.load(row + i), mean), spread)
      v128.store(row + i, f32x4.add(f32x4.mul(even, v128.load(norm + i)), v128.load(norm + SIZE + i)))
    }
  }
}

/** Adds to the states, number by number. */
export function add(from: usize, tokens: usize): void {
  for (let i: usize = 0; i < tokens * SIZE; i += 16)
    v128.store(STATES + i, f32x4.add(v128.load(STATES + i), v128.load(from + i)))
}

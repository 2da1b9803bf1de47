/** What the encoder and the reader have in common: words become states, which pass through layers. */
import { attend } from './attention'
import { gelu } from './functions'
import {
  ADDED,
  FEED,
  FEED_IN_SIZE,
  FEED_OUT_SIZE,
  HIDDEN,
  KEYS,
  LAYER_SIZE,
  MIXED,
  NORM_SIZE,
  QUERIES,
  SQUARE_SIZE,
  STATES,
  TOKENS,
  VALUES,
  WEIGHTS,
  WIDE,
  WORD_SCALES,
} from './layout'
import { add, normalise } from './norm'
import { multiply, round } from './product'

/** The states of the words in `TOKENS`, each with that of its position. */
export function embed(positions: usize, tokens: usize): void {
  for (let token: usize = 0; token < tokens; token++) {
    const id = load<u32>(TOKENS + token * 4)
    const scale = v128.load_splat<f32>(WORD_SCALES + id * 4)
    const word = WEIGHTS + id * HIDDEN
    const start = token * HIDDEN * 4
    for (let i: usize = 0; i < HIDDEN; i += 4) {
      const bytes = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(word + i)))
      const state = f32x4.mul(f32x4.convert_i32x4_s(bytes), scale)
      v128.store(STATES + start + i * 4, f32x4.add(state, v128.load(positions + start + i * 4)))
    }
  }
}

/** `first` is where the weights of the first layer lie. */
export function passAll(first: usize, layers: usize, tokens: usize): void {
  for (let layer: usize = 0; layer < layers; layer++) pass(first + layer * LAYER_SIZE, tokens)
}

function pass(layer: usize, tokens: usize): void {
  const feedIn = layer + 4 * SQUARE_SIZE
  const feedOut = feedIn + FEED_IN_SIZE
  const norms = feedOut + FEED_OUT_SIZE
  round(STATES, HIDDEN, tokens)
  multiply(layer, HIDDEN, HIDDEN, tokens, QUERIES)
  multiply(layer + SQUARE_SIZE, HIDDEN, HIDDEN, tokens, KEYS)
  multiply(layer + 2 * SQUARE_SIZE, HIDDEN, HIDDEN, tokens, VALUES)
  attend(tokens)
  round(MIXED, HIDDEN, tokens)
  multiply(layer + 3 * SQUARE_SIZE, HIDDEN, HIDDEN, tokens, ADDED)
  add(ADDED, tokens)
  normalise(norms, tokens)
  round(STATES, HIDDEN, tokens)
  multiply(feedIn, HIDDEN, FEED, tokens, WIDE)
  for (let i = WIDE; i < WIDE + tokens * FEED * 4; i += 16) v128.store(i, gelu(v128.load(i)))
  round(WIDE, FEED, tokens)
  multiply(feedOut, FEED, HIDDEN, tokens, ADDED)
  add(ADDED, tokens)
  normalise(norms + NORM_SIZE, tokens)
}

/** The sum of the states of all tokens, four components of it: those at `i` bytes from the first. */
export function sumOfStates(i: usize, tokens: usize): v128 {
  let sum = f32x4.splat(0)
  for (let token: usize = 0; token < tokens; token++)
    sum = f32x4.add(sum, v128.load(STATES + token * HIDDEN * 4 + i))
  return sum
}

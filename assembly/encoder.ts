/** The encoder: token ids in `TOKENS` become a unit vector in `VECTOR`. model/README.md has its arithmetic. */
import { attend } from './attention'
import { across, gelu } from './functions'
import {
  ADDED,
  FEED,
  FEED_IN_SIZE,
  FEED_OUT_SIZE,
  FIRST_LAYER,
  FIRST_NORM,
  HIDDEN,
  KEYS,
  LAYER_SIZE,
  LAYERS,
  MIXED,
  NORM_SIZE,
  POSITION_STATES,
  QUERIES,
  SQUARE_SIZE,
  STATES,
  TOKENS,
  VALUES,
  VECTOR,
  WEIGHTS,
  WIDE,
  WORD_SCALES,
} from './layout'
import { add, normalise } from './norm'
import { multiply, round } from './product'

export { END, MOST_TOKENS, TOKENS, VECTOR, WEIGHTS } from './layout'

/** `tokens` is 1..MOST_TOKENS, and every id is one of the vocabulary: the host sees to it. */
export function encode(tokens: usize): void {
  embed(tokens)
  normalise(FIRST_NORM, tokens)
  for (let layer: usize = 0; layer < LAYERS; layer++) pass(FIRST_LAYER + layer * LAYER_SIZE, tokens)
  pool(tokens)
}

function embed(tokens: usize): void {
  for (let token: usize = 0; token < tokens; token++) {
    const id = load<u32>(TOKENS + token * 4)
    const scale = v128.load_splat<f32>(WORD_SCALES + id * 4)
    const word = WEIGHTS + id * HIDDEN
    const start = token * HIDDEN * 4
    for (let i: usize = 0; i < HIDDEN; i += 4) {
      const bytes = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(word + i)))
      const state = f32x4.mul(f32x4.convert_i32x4_s(bytes), scale)
      v128.store(STATES + start + i * 4, f32x4.add(state, v128.load(POSITION_STATES + start + i * 4)))
    }
  }
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

/** The sum over the tokens at unit length: the same as their mean at unit length. */
function pool(tokens: usize): void {
  let squares = f32x4.splat(0)
  for (let i: usize = 0; i < HIDDEN * 4; i += 16) {
    let sum = f32x4.splat(0)
    for (let token: usize = 0; token < tokens; token++)
      sum = f32x4.add(sum, v128.load(STATES + token * HIDDEN * 4 + i))
    v128.store(VECTOR + i, sum)
    squares = f32x4.add(squares, f32x4.mul(sum, sum))
  }
  const share = f32x4.splat(<f32>1 / sqrt<f32>(across(squares)))
  for (let i: usize = 0; i < HIDDEN * 4; i += 16)
    v128.store(VECTOR + i, f32x4.mul(v128.load(VECTOR + i), share))
}

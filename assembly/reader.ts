/** The reader: token ids of a question and a text in `TOKENS` become a logit, whether the text answers the question. */
import { across, tanh } from './functions'
import { embed, passAll, sumOfStates } from './layers'
import {
  HIDDEN,
  OUTPUT,
  OUTPUT_BIAS,
  OUTPUT_HEAD,
  OUTPUT_HEAD_BIASES,
  READER_LAYER,
  READER_LAYERS,
  READER_NORM,
  READER_WEIGHTS,
  SIDES,
  STATES,
  VECTOR,
} from './layout'
import { normalise } from './norm'

const SIZE: usize = HIDDEN * 4

/**
 * `tokens` is 1..MAX_PAIR_TOKENS, the first `asked` of them are the question with the marks of its ends, and every id is
 * one of the vocabulary: the host sees to it.
 */
export function read(tokens: usize, asked: usize): f32 {
  embed(READER_WEIGHTS, tokens)
  addSides(tokens, asked)
  normalise(READER_NORM, tokens)
  passAll(READER_LAYER, READER_LAYERS, tokens)
  average(tokens)
  return logit()
}

/** One state is added to the tokens of the question, another to those of the text. */
function addSides(tokens: usize, asked: usize): void {
  for (let token: usize = 0; token < tokens; token++) {
    const state = STATES + token * SIZE
    const side = token < asked ? SIDES : SIDES + SIZE
    for (let i: usize = 0; i < SIZE; i += 16)
      v128.store(state + i, f32x4.add(v128.load(state + i), v128.load(side + i)))
  }
}

/** The mean over the tokens. */
function average(tokens: usize): void {
  const share = f32x4.splat(<f32>1 / <f32>tokens)
  for (let i: usize = 0; i < SIZE; i += 16) v128.store(VECTOR + i, f32x4.mul(sumOfStates(i, tokens), share))
}

function logit(): f32 {
  let sum = f32x4.splat(0)
  for (let row: usize = 0; row < HIDDEN; row += 4) {
    const heads = f32x4.add(products(row), v128.load(OUTPUT_HEAD_BIASES + row * 4))
    sum = f32x4.add(sum, f32x4.mul(tanh(heads), v128.load(OUTPUT + row * 4)))
  }
  return across(sum) + load<f32>(OUTPUT_BIAS)
}

/** Four rows of the head's matrix times the mean. */
function products(row: usize): v128 {
  const first = OUTPUT_HEAD + row * SIZE
  let products = f32x4.splat(product(first))
  products = f32x4.replace_lane(products, 1, product(first + SIZE))
  products = f32x4.replace_lane(products, 2, product(first + 2 * SIZE))
  return f32x4.replace_lane(products, 3, product(first + 3 * SIZE))
}

function product(row: usize): f32 {
  let sum = f32x4.splat(0)
  for (let i: usize = 0; i < SIZE; i += 16)
    sum = f32x4.add(sum, f32x4.mul(v128.load(row + i), v128.load(VECTOR + i)))
  return across(sum)
}

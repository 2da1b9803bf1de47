/** The encoder: token ids in `TOKENS` become a unit vector in `VECTOR`. model/README.md has its arithmetic. */
import { across } from './functions'
import { embed, passAll, sumOfStates } from './layers'
import { ENCODER_LAYER, ENCODER_LAYERS, ENCODER_NORM, ENCODER_POSITIONS, HIDDEN, VECTOR } from './layout'
import { normalise } from './norm'

export {
  END,
  MAX_PAIR_TOKENS,
  MAX_TOKENS,
  READER_END,
  READER_WEIGHTS,
  TOKENS,
  VECTOR,
  WEIGHTS,
} from './layout'
export { read } from './reader'

/** `tokens` is 1..MAX_TOKENS, and every id is one of the vocabulary: the host sees to it. */
export function encode(tokens: usize): void {
  embed(ENCODER_POSITIONS, tokens)
  normalise(ENCODER_NORM, tokens)
  passAll(ENCODER_LAYER, ENCODER_LAYERS, tokens)
  pool(tokens)
}

/** The sum over the tokens at unit length: the same as their mean at unit length. */
function pool(tokens: usize): void {
  let squares = f32x4.splat(0)
  for (let i: usize = 0; i < HIDDEN * 4; i += 16) {
    const sum = sumOfStates(i, tokens)
    v128.store(VECTOR + i, sum)
    squares = f32x4.add(squares, f32x4.mul(sum, sum))
  }
  const share = f32x4.splat(<f32>1 / sqrt<f32>(across(squares)))
  for (let i: usize = 0; i < HIDDEN * 4; i += 16)
    v128.store(VECTOR + i, f32x4.mul(v128.load(VECTOR + i), share))
}

import { Encoder } from '../../domain/meaning/encoder.js'
import type { EncoderProgram } from '../../domain/meaning/programs.js'
import { type Model, ModelError, readEncoderProgram, readWeights, readWordPieces } from './model-files.js'
import { WEIGHTS_SIZE } from './model-header.js'
import { instantiate } from './program.js'

/** The encoder with its weights, checked against their SHA-256: some 20 MB of memory. */
export async function loadEncoder(model: Model): Promise<Encoder> {
  const program = await instantiate<EncoderProgram>(await readEncoderProgram())
  const { memory, WEIGHTS, END } = program
  if (END.value - WEIGHTS.value !== WEIGHTS_SIZE)
    throw new ModelError('assembly/encoder.wasm is of another model: run npm run build.')
  await readWeights(model, new Uint8Array(memory.buffer, WEIGHTS.value, WEIGHTS_SIZE))
  return new Encoder(program, await readWordPieces(model.folder))
}

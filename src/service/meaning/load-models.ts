import { Encoder } from '../../domain/meaning/encoder.js'
import type { EncoderProgram } from '../../domain/meaning/programs.js'
import { Reader } from '../../domain/meaning/reader.js'
import {
  type Model,
  ModelError,
  readEncoderProgram,
  readWeights,
  readWordPieces,
  WEIGHTS,
  type WeightsName,
} from './model-files.js'
import { instantiate } from './program.js'

/** Loads the encoder and the reader, and checks their weights by SHA-256. Takes about 35 MB of memory. */
export async function loadModels(model: Model): Promise<{ encoder: Encoder; reader: Reader }> {
  const program = await instantiate<EncoderProgram>(await readEncoderProgram())
  const { memory, WEIGHTS: first, END, READER_WEIGHTS, READER_END } = program
  const read = (name: WeightsName, start: number, end: number) => {
    if (end - start !== WEIGHTS[name].size)
      throw new ModelError('assembly/encoder.wasm is of another model: run npm run build.')
    return readWeights(model, name, new Uint8Array(memory.buffer, start, end - start))
  }
  await read('encoder', first.value, END.value)
  await read('reader', READER_WEIGHTS.value, READER_END.value)
  const words = await readWordPieces(model.folder)
  return { encoder: new Encoder(program, words), reader: new Reader(program, words) }
}

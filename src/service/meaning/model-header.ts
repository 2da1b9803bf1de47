/** The content of `encoder.json` and `reader.json`. The program supports exactly one layout of each. */
export interface ModelHeader extends Shape {
  readonly sha256: string
  readonly tensors: readonly Tensor[]
}

interface Shape {
  readonly layers: number
  readonly hidden: number
  readonly heads: number
  readonly feed: number
  readonly positions: number
}

interface Tensor {
  readonly name: string
  readonly dtype: 'int8' | 'float32'
  readonly shape: readonly number[]
  readonly offset: number
}

interface Layout {
  readonly shape: Shape
  readonly tensors: readonly Tensor[]
  /** Size of the file, in bytes. */
  readonly size: number
}

export const WORDS = 30_522
export type WeightsName = 'encoder' | 'reader'

/** The differences of a header from the layout of assembly/layout.ts, as phrases. */
export function mistakesOf(name: WeightsName, header: ModelHeader): string[] {
  const { shape, tensors } = WEIGHTS[name]
  const wrong = Object.entries(shape).filter(([key, value]) => header[key as keyof Shape] !== value)
  const mistakes = wrong.map(([key, value]) => `${key} is not ${value}`)
  const stated = Array.isArray(header.tensors) ? header.tensors.map(describe) : []
  if (stated.join() !== tensors.map(describe).join())
    mistakes.push(`the tensors are not those of this ${name}`)
  if (!/^[0-9a-f]{64}$/.test(header.sha256)) mistakes.push('sha256 is not a SHA-256')
  return mistakes
}

function describe({ name, dtype, shape, offset }: Tensor): string {
  return `${name} ${dtype} ${shape?.join('x')} at ${offset}`
}

type UnplacedTensor = Omit<Tensor, 'offset'>

const hidden = 384
const feed = 1536
const positions = 128

/** The layouts of both files. The reader uses the word vectors of the encoder. */
export const WEIGHTS: Readonly<Record<WeightsName, Layout>> = {
  encoder: layoutOf(3, (layers) => [
    { name: 'words.weight', dtype: 'int8', shape: [WORDS, hidden] },
    { name: 'words.scale', dtype: 'float32', shape: [WORDS] },
    { name: 'positions.weight', dtype: 'float32', shape: [positions, hidden] },
    ...normOf('norm'),
    ...layers,
  ]),
  reader: layoutOf(6, (layers) => [
    { name: 'positions.weight', dtype: 'float32', shape: [positions, hidden] },
    { name: 'sides.weight', dtype: 'float32', shape: [2, hidden] },
    ...normOf('norm'),
    ...layers,
    { name: 'head.weight', dtype: 'float32', shape: [hidden, hidden] },
    { name: 'head.bias', dtype: 'float32', shape: [hidden] },
    { name: 'out.weight', dtype: 'float32', shape: [1, hidden] },
    { name: 'out.bias', dtype: 'float32', shape: [1] },
  ]),
}

function layoutOf(
  layers: number,
  around: (layers: readonly UnplacedTensor[]) => readonly UnplacedTensor[],
): Layout {
  const inLayers = Array.from({ length: layers }, (_, layer) => layerOf(`layer${layer}`)).flat()
  const tensors = withOffsets(around(inLayers))
  const size = tensors.reduce((end, tensor) => Math.max(end, endOf(tensor)), 0)
  return { shape: { layers, hidden, heads: 12, feed, positions }, tensors, size }
}

function layerOf(name: string): UnplacedTensor[] {
  return [
    ...matrixOf(`${name}.query`, hidden, hidden),
    ...matrixOf(`${name}.key`, hidden, hidden),
    ...matrixOf(`${name}.value`, hidden, hidden),
    ...matrixOf(`${name}.attention_out`, hidden, hidden),
    ...matrixOf(`${name}.feed_in`, feed, hidden),
    ...matrixOf(`${name}.feed_out`, hidden, feed),
    ...normOf(`${name}.norm_attention`),
    ...normOf(`${name}.norm_feed`),
  ]
}

function matrixOf(name: string, rows: number, width: number): UnplacedTensor[] {
  return [
    { name: `${name}.weight`, dtype: 'int8', shape: [rows, width] },
    { name: `${name}.scale`, dtype: 'float32', shape: [rows] },
    { name: `${name}.bias`, dtype: 'float32', shape: [rows] },
  ]
}

function normOf(name: string): UnplacedTensor[] {
  return [
    { name: `${name}.weight`, dtype: 'float32', shape: [hidden] },
    { name: `${name}.bias`, dtype: 'float32', shape: [hidden] },
  ]
}

/** Assigns offsets: one tensor after the other, aligned to 16 bytes. */
function withOffsets(tensors: readonly UnplacedTensor[]): Tensor[] {
  let end = 0
  return tensors.map((tensor) => {
    const offset = Math.ceil(end / 16) * 16
    end = endOf({ ...tensor, offset })
    return { ...tensor, offset }
  })
}

function endOf({ dtype, shape, offset }: Tensor): number {
  return offset + shape.reduce((size, length) => size * length, dtype === 'int8' ? 1 : 4)
}

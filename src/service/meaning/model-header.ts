/** What `encoder.json` says of the weights: this program runs exactly one arrangement of them. */
export interface ModelHeader {
  readonly layers: number
  readonly hidden: number
  readonly heads: number
  readonly feed: number
  readonly positions: number
  readonly sha256: string
  readonly tensors: readonly Tensor[]
}

export interface Tensor {
  readonly name: string
  readonly dtype: 'int8' | 'float32'
  readonly shape: readonly number[]
  readonly offset: number
}

export const SHAPE = { layers: 3, hidden: 384, heads: 12, feed: 1536, positions: 128 } as const
export const WORDS = 30_522

/** The mistakes of a header, as sentences: none for the arrangement of assembly/layout.ts. */
export function mistakesOf(header: ModelHeader): string[] {
  const shape = Object.entries(SHAPE).filter(([key, value]) => header[key as keyof typeof SHAPE] !== value)
  const mistakes = shape.map(([key, value]) => `${key} is not ${value}`)
  const expected = TENSORS.map(describe)
  const stated = Array.isArray(header.tensors) ? header.tensors.map(describe) : []
  if (stated.join() !== expected.join()) mistakes.push('the tensors are not those of this encoder')
  if (!/^[0-9a-f]{64}$/.test(header.sha256)) mistakes.push('sha256 is not a SHA-256')
  return mistakes
}

function describe({ name, dtype, shape, offset }: Tensor): string {
  return `${name} ${dtype} ${shape?.join('x')} at ${offset}`
}

type Unplaced = Omit<Tensor, 'offset'>

const { hidden, feed, positions, layers } = SHAPE
export const TENSORS = placed([
  { name: 'words.weight', dtype: 'int8', shape: [WORDS, hidden] },
  { name: 'words.scale', dtype: 'float32', shape: [WORDS] },
  { name: 'positions.weight', dtype: 'float32', shape: [positions, hidden] },
  ...normOf('norm'),
  ...Array.from({ length: layers }, (_, layer) => layerOf(`layer${layer}`)).flat(),
])

export const WEIGHTS_SIZE = TENSORS.reduce((size, tensor) => Math.max(size, endOf(tensor)), 0)

function layerOf(name: string): Unplaced[] {
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

function matrixOf(name: string, rows: number, width: number): Unplaced[] {
  return [
    { name: `${name}.weight`, dtype: 'int8', shape: [rows, width] },
    { name: `${name}.scale`, dtype: 'float32', shape: [rows] },
    { name: `${name}.bias`, dtype: 'float32', shape: [rows] },
  ]
}

function normOf(name: string): Unplaced[] {
  return [
    { name: `${name}.weight`, dtype: 'float32', shape: [hidden] },
    { name: `${name}.bias`, dtype: 'float32', shape: [hidden] },
  ]
}

/** One after the other, each at a multiple of 16 bytes. */
function placed(tensors: readonly Unplaced[]): Tensor[] {
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

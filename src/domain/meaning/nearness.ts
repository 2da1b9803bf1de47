/** How near two meanings are: by their bytes, and roughly but quickly by their signs. */

export const DIMENSIONS = 384
/** A code is the signs of a vector, 32 in a number. */
export const CODE_WORDS = DIMENSIONS / 32

/** A vector as signed bytes, the largest component as 127: the direction is what counts. */
export function toBytes(vector: Float32Array): Int8Array {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0))
  const factor = largest === 0 ? 0 : 127 / largest
  const bytes = new Int8Array(vector.length)
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.round((vector[i] ?? 0) * factor)
  return bytes
}

/** The signs of a vector's bytes; the code follows from the bytes, so that it need not be kept. */
export function toCode(bytes: Int8Array): Uint32Array {
  const code = new Uint32Array(CODE_WORDS)
  writeCode(bytes, code, 0)
  return code
}

/** Writes the code of the vector into the packed codes of many, as that of `row`. */
export function writeCode(bytes: Int8Array, codes: Uint32Array, row: number): void {
  for (let word = 0; word < CODE_WORDS; word++) {
    let signs = 0
    for (let bit = 0; bit < 32; bit++) if ((bytes[word * 32 + bit] ?? 0) < 0) signs |= 1 << bit
    codes[row * CODE_WORDS + word] = signs
  }
}

/** -1..1: the cosine of two vectors by their bytes; 0 when one has no direction. */
export function cosine(a: Int8Array, b: Int8Array): number {
  return cosineTo(a)(b)
}

/** The cosine of one vector and each of many others. */
export function cosineTo(a: Int8Array): (b: Int8Array) => number {
  const ours = squares(a)
  return (b) => {
    let product = 0
    let theirs = 0
    for (let i = 0; i < DIMENSIONS; i++) {
      const y = b[i] ?? 0
      product += (a[i] ?? 0) * y
      theirs += y * y
    }
    return ours === 0 || theirs === 0 ? 0 : product / Math.sqrt(ours * theirs)
  }
}

function squares(vector: Int8Array): number {
  let sum = 0
  for (let i = 0; i < DIMENSIONS; i++) sum += (vector[i] ?? 0) ** 2
  return sum
}

/** Texts that have nothing to do with each other have about this cosine. */
const UNRELATED = 0.25

/** 0..1: how near in meaning texts of this cosine are; 0 when they have nothing to do with each other. */
export function closeness(cosine: number): number {
  return Math.max(0, cosine - UNRELATED) / (1 - UNRELATED)
}

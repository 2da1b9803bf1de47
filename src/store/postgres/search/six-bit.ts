/**
 * Numbers as letters, six bits each. The indexes of a graph are kept as such texts: they travel and grow like any text,
 * are read without a copy, and take no more room than bytes would.
 */
const BITS = 6
const ZERO = '0'.charCodeAt(0)

/** `digits` letters, the most significant first. */
export function toSixBit(value: number, digits: number): string {
  let text = ''
  for (let i = digits - 1; i >= 0; i--) text += String.fromCharCode(ZERO + ((value >>> (BITS * i)) & 63))
  return text
}

export function sixBitAt(text: string, at: number, digits: number): number {
  let value = 0
  for (let i = at; i < at + digits; i++) value = (value << BITS) | (text.charCodeAt(i) - ZERO)
  return value
}

/** Three of them as bytes, without a loop: this is what a search spends its time on. */
export function threeSixBitIn(letters: Uint8Array, at: number): number {
  return (
    (((letters[at] ?? ZERO) - ZERO) << (2 * BITS)) |
    (((letters[at + 1] ?? ZERO) - ZERO) << BITS) |
    ((letters[at + 2] ?? ZERO) - ZERO)
  )
}

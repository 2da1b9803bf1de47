const ENDS_ASKING = /\?["'”’)\]]{0,3}$/u
/** Each run of marks is looked at once, so that a text of nothing but dots takes no longer than another. */
const SENTENCE_END = /(?<![.!?])[.!?]+(?=["'”’)\]]{0,3}(?:\s|$))/gu

/** 0..1: how much of a text is asked at its end and not answered in it. */
export function leftOpen(text: string): number {
  const whole = text.trimEnd()
  if (!ENDS_ASKING.test(whole.slice(-4))) return 0
  const ends = whole.match(SENTENCE_END) ?? []
  const told = ends.findLastIndex((end) => !end.includes('?'))
  return (ends.length - 1 - told) / Math.max(1, ends.length)
}

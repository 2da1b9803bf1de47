import { folded, kindOf } from './characters.js'

/** A word of more characters is not looked up. */
export const MOST_CHARACTERS = 100

export interface Word {
  readonly text: string
  /** It has more than `MOST_CHARACTERS`, and `text` is only its beginning. */
  readonly long: boolean
}

/** The words of a text, one after the other, so that a long text is read only as far as it is used. */
export function* wordsOf(text: string): Generator<Word> {
  let word = ''
  let characters = 0
  for (const character of text) {
    const kind = kindOf(character)
    if (kind === 'dropped') continue
    const apart = kind !== 'letter'
    if (apart && characters > 0) {
      yield { text: word, long: characters > MOST_CHARACTERS }
      word = ''
      characters = 0
    }
    if (kind === 'space') continue
    for (const part of folded(character)) {
      // Some characters hold punctuation only when taken apart, such as the Greek question mark.
      if (apart || kindOf(part) === 'punctuation') {
        if (characters > 0) yield { text: word, long: characters > MOST_CHARACTERS }
        yield { text: part, long: false }
        word = ''
        characters = 0
      } else {
        characters += 1
        if (characters <= MOST_CHARACTERS) word += part
      }
    }
  }
  if (characters > 0) yield { text: word, long: characters > MOST_CHARACTERS }
}

/** A word of more characters is not looked up. */
const MAX_CHARACTERS = 100

interface Word {
  readonly text: string
  /** It has more than `MAX_CHARACTERS`, and `text` is only its beginning. */
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
      yield { text: word, long: characters > MAX_CHARACTERS }
      word = ''
      characters = 0
    }
    if (kind === 'space') continue
    for (const part of folded(character)) {
      // Some characters hold punctuation only when taken apart, such as the Greek question mark.
      if (apart || kindOf(part) === 'punctuation') {
        if (characters > 0) yield { text: word, long: characters > MAX_CHARACTERS }
        yield { text: part, long: false }
        word = ''
        characters = 0
      } else {
        characters += 1
        if (characters <= MAX_CHARACTERS) word += part
      }
    }
  }
  if (characters > 0) yield { text: word, long: characters > MAX_CHARACTERS }
}

/** What a character is to the word pieces of BERT uncased. */
type CharacterKind = 'dropped' | 'space' | 'punctuation' | 'ideograph' | 'letter'

function kindOf(character: string): CharacterKind {
  const code = character.codePointAt(0) ?? 0
  if (code < 128) return ASCII[code] ?? 'letter'
  if (DROPPED.test(character) || code === REPLACEMENT) return 'dropped'
  if (SPACE.test(character)) return 'space'
  if (PUNCTUATION.test(character)) return 'punctuation'
  return isIdeograph(code) ? 'ideograph' : 'letter'
}

/** Lower case without accents. It goes by character: a sigma at the end of a word is a sigma. */
function folded(character: string): string {
  if (character < '\u0080') return character.toLowerCase()
  let text = ''
  for (const part of character.normalize('NFD')) if (!MARK.test(part)) text += part.toLowerCase()
  return text
}

const REPLACEMENT = 0xfffd
// Characters that are not assigned yet count as letters: a later Unicode would change their kind.
const DROPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
const SPACE = /\p{White_Space}/u
const PUNCTUATION = /\p{P}/u
const MARK = /\p{Mn}/u

const ASCII = Array.from({ length: 128 }, (_, code): CharacterKind => {
  const character = String.fromCharCode(code)
  if (/[\t\n\r ]/.test(character)) return 'space'
  if (DROPPED.test(character)) return 'dropped'
  return /[0-9A-Za-z]/.test(character) ? 'letter' : 'punctuation'
})

/** The blocks of Chinese characters that BERT knows; kana and Hangul are letters. */
const IDEOGRAPHS: readonly (readonly [number, number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0x2f800, 0x2fa1f],
]

function isIdeograph(code: number): boolean {
  return IDEOGRAPHS.some(([first, last]) => code >= first && code <= last)
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldName } from '../../../src/domain/names.js'
import { queryTerms, stemsOf } from '../../../src/domain/search/text-analysis.js'

describe('words', () => {
  test.each([
    ['words of one stem are one term', 'connect connected connecting connections', Array(4).fill('connect')],
    ['case does not matter', 'Cache CACHE cache', Array(3).fill('cach')],
    ['neither does width', 'ｃａｃｈｅ', ['cach']],
    ['snake case', 'react_hooks', ['react', 'hook']],
    ['kebab case', 'react-hooks', ['react', 'hook']],
    ['dots, colons and slashes', 'skill:react/hooks.md', ['skill', 'react', 'hook', 'md']],
    ['numbers', 'port 8080, 3 retries', ['port', '8080', '3', 'retri']],
    ['dates', '2026-03-09', ['2026', '03', '09']],
    ['versions', 'v20.19', ['v20', '19']],
    ['hexadecimal', 'commit 1a2b3c', ['commit', '1a2b3c']],
    ['Cyrillic', 'Привет МИР', ['привет', 'мир']],
    ['Greek', 'Βάση δεδομένων', ['βάση', 'δεδομένων']],
    ['Arabic', 'قاعدة البيانات', ['قاعدة', 'البيانات']],
    ['Hindi, whose vowels are marks', 'डेटाबेस', ['डेटाबेस']],
    ['Korean', '데이터베이스 연결', ['데이터베이스', '연결']],
    ['accents are kept', 'Café', ['café']],
    ['a letter that is composed only in lower case', 'J\u030caj', ['\u01f0aj']],
    ['nothing', '', []],
    ['punctuation only', '… -- !? ,;', []],
    ['marks that stand on no letter', '\u0301 \ufe0f', []],
  ])('%s', (_, text, stems) => expect(stemsOf(text)).toEqual(stems))

  test.each([
    ['useState', ['us', 'state', 'usest']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['parseJSON', ['pars', 'json', 'parsejson']],
    ['base64Encode', ['base64', 'encod', 'base64encode']],
    ['H2O', ['h2o']],
  ])('%s parts at its humps and is a word as a whole', (text, stems) => {
    expect(stemsOf(text)).toEqual(stems)
  })

  test.each([
    'TypeScript',
    'JavaScript',
    'PostgreSQL',
    'GitHub',
    'iOS',
    'OpenAPI',
    'GraphQL',
    'useEffect',
    'DynamoDB',
  ])('%s is found under its folded name', (name) => {
    const found = new Set(stemsOf(`We use ${name}.`))
    for (const term of queryTerms(foldName(name))) expect(found).toContain(term)
  })

  test('an identifier meets its parts, written apart', () => {
    expect(stemsOf('getUserProfile')).toEqual(expect.arrayContaining(queryTerms('user profile')))
  })
})

describe('scripts without spaces', () => {
  test('Chinese, Japanese and Thai are parted into words', () => {
    expect(stemsOf('数据库连接')).toEqual(['数据', '库', '连接'])
    expect(stemsOf('ฐานข้อมูล').join('')).toBe('ฐานข้อมูล'.normalize('NFKC'))
    expect(stemsOf('データベース接続')).toContain('接続')
  })

  test('an identifier among Chinese is still an identifier', () => {
    expect(stemsOf('使用useEffect钩子')).toEqual(expect.arrayContaining(queryTerms('useEffect 钩子')))
  })

  test('nothing is dropped', () => {
    const scripts = '数据库连接池データベースฐานข้อมูลການເຊື່ອມមូលដ្ឋានទဒေတာ'
    const letter = fc.constantFrom(...scripts.normalize('NFKC'))
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 700 }), (text) => {
        // A mark that stands on no letter is no word, so the text begins with a letter.
        expect(stemsOf(`数${text}`).join('')).toBe(`数${text}`.normalize('NFKC'))
      }),
    )
  })
})

describe('nothing that a reader would call a word is dropped', () => {
  test.each([
    ['👍', ['👍']],
    ['👍🏽', ['👍']],
    ['❤️', ['❤']],
    ['🇫🇷🇩🇪', ['🇫🇷', '🇩🇪']],
    ['🚀🚀', ['🚀', '🚀']],
    ['ship it🚀', ['ship', '🚀']],
  ])('emoji: %s', (text, stems) => expect(stemsOf(text)).toEqual(stems))

  test('every letter and every digit, in any script, is in some term', () => {
    const lost: string[] = []
    for (let code = 0; code < 0x110000; code++) {
      const text = String.fromCodePoint(code)
      const isWord = /[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]/u.test(text.normalize('NFKC'))
      if (!isWord || /[\p{Script=Han}\p{Script=Hangul}]/u.test(text)) continue
      if (stemsOf(text + text).length === 0) lost.push(text)
    }
    expect(lost).toEqual([])
  })

  test('words of any script survive as terms', () => {
    const word = fc.string({ unit: fc.constantFrom(...'жшщλπ한국שלום१२'), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(stemsOf(words.join(' '))).toEqual(words)
      }),
    )
  })

  test('very long words are kept whole', () => {
    for (const word of ['x'.repeat(65), 'x'.repeat(5000), '7'.repeat(5000)])
      expect(stemsOf(word)).toEqual([word])
  })
})

describe('stop words', () => {
  test.each(['the', 'What is it?', 'how should I have been doing this', 'THE AND OF', 'to_be-or/not.to:be'])(
    '%j says nothing',
    (text) => expect(stemsOf(text)).toEqual([]),
  )

  test.each([
    "what's it",
    'What’s this',
    "don't",
    "isn't",
    "can't",
    'WON’T',
    "I'm",
    "we're",
    "they'll",
    "you'd",
    "I've",
  ])('the rest of a contraction, %j, says nothing either', (text) => expect(stemsOf(text)).toEqual([]))

  test('a possessive is the word itself', () => {
    expect(stemsOf("the user's cache")).toEqual(stemsOf('user cache'))
    expect(stemsOf("O'Brien")).toEqual(stemsOf('O Brien'))
  })

  test('single letters that stand alone are words', () => {
    expect(stemsOf('vitamin d, plan s, c')).toEqual(['vitamin', 'd', 'plan', 's', 'c'])
  })
})

describe('a query', () => {
  test('is its distinct stems in the order of reading', () => {
    expect(queryTerms('caching hooks, cached hook caches')).toEqual(['cach', 'hook'])
    expect(queryTerms('of the')).toEqual([])
  })

  test('consists of terms that its own text holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(new Set(queryTerms(text))).toEqual(new Set(stemsOf(text)))
      }),
    )
  })
})

describe('analysis as a function', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 200 })

  test('gives the same stems each time, and none of them empty', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const stems = stemsOf(text)
        expect(stemsOf(text)).toEqual(stems)
        expect(stems).not.toContain('')
      }),
    )
  })

  test('composed and decomposed text have the same stems', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(stemsOf(text.normalize('NFD'))).toEqual(stemsOf(text.normalize('NFC')))
      }),
    )
  })

  test('the stems of two lines are the stems of each', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(stemsOf(`${a}\n${b}`)).toEqual([...stemsOf(a), ...stemsOf(b)])
      }),
    )
  })
})

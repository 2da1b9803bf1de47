import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../../src/domain/insight/query.js'

describe('a question taken apart', () => {
  test('has each stem once, in order, without stop words', () => {
    expect(analyse('How does the cache cache cached builds?').terms).toEqual(['cach', 'build'])
  })

  test('has the stems of names, numbers and identifiers, but not of what begins a sentence', () => {
    expect(analyse('Why does Petrilab answer AR to useEffect v2? Ask Colm Dargan.').names).toEqual([
      'petrilab',
      'ar',
      'v2',
      'colm',
      'dargan',
    ])
    expect(analyse('How do we rotate signing keys?').names).toEqual([])
  })

  test('keeps identifiers whole and in parts, numbers, and other scripts', () => {
    const { terms } = analyse('useEffect 503 缓存')
    expect(terms.slice(0, 4)).toEqual(['us', 'effect', 'useeffect', '503'])
    expect(terms.slice(4).join('')).toBe('缓存')
  })
})

describe('a price', () => {
  test.each([
    'What does a late return cost?',
    'How much do we charge for the training?',
    'What penalty does the contract foresee when the fleet delivers late?',
    'When does the contract end, and what do we pay for it per year?',
  ])('is asked for: %s', (text) => expect(analyse(text).asksPrice).toBe(true))

  test.each([
    'How often is a failed charge retried?',
    'When do students pay?',
    'Who gets the late fee?',
    'Where does the car charge?',
    'Is there a fee for late returns?',
    'Retry the upload, but when do students pay?',
  ])('is what it is about, not what is asked for: %s', (text) => expect(analyse(text).asksPrice).toBe(false))
})

describe('a time', () => {
  test.each([
    'When does the shop open?',
    'Do you know when the shop opens?',
    'Until what date is it valid?',
    'How long do we keep logs when the disk is full?',
    'What is the code, and when does it change?',
  ])('is asked for: %s', (text) => expect(analyse(text).asksWhen).toBe(true))

  test.each([
    'What do I do when the disk is full?',
    'How do we fail over when the database is down?',
    'Where do I write when the gateway is out?',
    'What was decided since March?',
  ])('is only the case that is meant: %s', (text) => expect(analyse(text).asksWhen).toBe(false))
})

describe('somebody', () => {
  test.each(['Who owns it?', 'How do I find out who owns it?', 'What broke, and who mends it?'])(
    'is asked for: %s',
    (text) => expect(analyse(text).asksWho).toBe(true),
  )

  test.each([
    'What do I tell customers who ask for a refund?',
    'What happens to accounts whose trial has ended?',
    'Where do I send somebody who has no badge?',
  ])('is only spoken of: %s', (text) => expect(analyse(text).asksWho).toBe(false))
})

describe('a version', () => {
  test('is asked for, and need not be told by that word', () => {
    expect(analyse('Which version of Node do we run?')).toMatchObject({ asksVersion: true, things: [] })
    expect(analyse('Which version policy do we have?').things).toEqual([['version', 'polici']])
  })

  test.each(['Who publishes new versions?', 'How is a version published?', 'Is there a new version?'])(
    'is only spoken of: %s',
    (text) => expect(analyse(text).asksVersion).toBe(false),
  )
})

describe('clauses', () => {
  test.each([
    ['at a comma', 'rotate signing keys, restart the gateway'],
    ['at a question mark', 'rotate signing keys? restart the gateway'],
    ['at a semicolon', 'rotate signing keys; restart the gateway'],
    ['at and', 'rotate signing keys and restart the gateway'],
    ['at THEN', 'rotate signing keys THEN restart the gateway'],
    ['at several', 'rotate signing keys, but then: restart the gateway.'],
  ])('%s', (_, text) => {
    expect(analyse(text).clauses).toEqual([
      ['rotat', 'sign', 'kei'],
      ['restart', 'gatewai'],
    ])
  })

  test('a clause of one stem is none, and one clause is the whole', () => {
    expect(analyse('well, rotate signing keys').clauses).toEqual([['well', 'rotat', 'sign', 'kei']])
    expect(analyse('rotate signing keys').clauses).toEqual([['rotat', 'sign', 'kei']])
  })

  test('not within a word', () => {
    expect(analyse('android vendor standing').clauses).toHaveLength(1)
  })
})

describe('what is asked for', () => {
  test.each([
    ['Who owns billing?', true],
    ['whose pager is it', true],
    ['To whom does it go', true],
    ['the whole story', false],
    ['What owns billing?', false],
  ])('who: %s', (text, expected) => {
    expect(analyse(text).asksWho).toBe(expected)
  })

  test.each([
    ['When is the freeze?', true],
    ['how long does it last', true],
    ['what time is the sync', true],
    ['Which date was it', true],
    ['frozen until', true],
    ['whenever', false],
    ['What is the freeze?', false],
  ])('when: %s', (text, expected) => {
    expect(analyse(text).asksWhen).toBe(expected)
  })

  test.each([
    ['the latest limit', true],
    ['What is the current limit', true],
    ['which runner do we use now', true],
    ['the most recent release', true],
    ['is it still so', true],
    ['these days', true],
    ['What is the limit', false],
    ['lasting knowledge', false],
  ])('latest: %s', (text, expected) => {
    expect(analyse(text).asksLatest).toBe(expected)
  })
})

describe('nothing to search for', () => {
  test.each(['', '   ', 'what is the', '?!…', '—', '\u200b'])('%j has no terms', (text) => {
    const query = analyse(text)
    expect(query.terms).toEqual([])
    expect(query.names).toEqual([])
    expect(query.clauses).toEqual([[]])
  })
})

test('any text: terms are distinct, and those of each clause too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const { terms, clauses } = analyse(text)
      expect(new Set(terms).size).toBe(terms.length)
      expect(clauses.length).toBeGreaterThan(0)
      for (const clause of clauses) expect(new Set(clause).size).toBe(clause.length)
    }),
  )
})

test.each([
  ['Is Mia allergic to nuts?', 'nut'],
  ['The oven is cold, did somebody take the fuse?', 'fuse'],
  ['Can you tell me about the fuse?', undefined],
  ['Do we know when it ships?', undefined],
  ['Which fuse is it?', undefined],
])('what "%s" asks whether it is so of', (question, stem) => {
  expect(analyse(question).whether).toEqual(stem === undefined ? [] : [stem])
})

describe('what must be told of', () => {
  test.each([
    ['When does Ben have piano lessons?', [['piano', 'lesson']]],
    ['How high was the fine that the regulator imposed?', [['fine']]],
    ['How many alerts went out?', [['alert', 'went']]],
    ['How old is Sam?', []],
    ['Does it have to be signed?', []],
  ])('%s', (text, things) => expect(analyse(text).things).toEqual(things))
})

describe('a month', () => {
  test('is named behind a word that goes with one', () => {
    expect(analyse('How many were sent in July and in May?').months).toEqual(['july', 'may'])
    expect(analyse('How many may be sent? We march on.').months).toEqual([])
  })
})

describe('what was asked', () => {
  test.each(['Which questions are open?', 'What did Ana ask?', 'What is still undecided?'])(
    'is asked for: %s',
    (text) => expect(analyse(text).asksWhatIsOpen).toBe(true),
  )
  test.each(['When does the shop open?', 'Which task is next?'])('is not: %s', (text) =>
    expect(analyse(text).asksWhatIsOpen).toBe(false),
  )
})

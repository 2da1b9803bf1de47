import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agrees,
  likenessTo,
  MAY_SPEAK_OF_THE_SAME,
  type Reading,
  readPayload,
  sameThing,
  saysTheSame,
} from '../../../src/domain/judgement/judgement.js'
import type { JsonObject } from '../../../src/domain/model.js'

/** A sentence, or a payload with fields of its own. */
type Said = string | JsonObject
type Pairs = readonly (readonly [Said, Said])[]

/**
 * `changed`: the same thing with another value, another state, or denied. `agreed`: one says what the other says too.
 * `unrelated`: two things, whatever they have in common.
 */
const { changed, agreed, unrelated }: { [kind in 'changed' | 'agreed' | 'unrelated']: Pairs } = JSON.parse(
  readFileSync(new URL('../../fixtures/pairs.json', import.meta.url), 'utf8'),
)

function read(said: Said): Reading {
  return readPayload(typeof said === 'string' ? { data: said } : said)
}

function named(pairs: Pairs) {
  return pairs.map(([a, b]) => ({ name: `${show(a)} / ${show(b)}`, a: read(a), b: read(b) }))
}

function show(said: Said): string {
  return typeof said === 'string' ? said : JSON.stringify(said)
}

describe('another value of the same thing', () => {
  it.each(named(changed))('$name', ({ a, b }) => {
    expect(sameThing(a, b)).toBe(true)
    expect(agrees(a, b)).toBe(false)
    expect(saysTheSame(a, b)).toBe(false)
  })
})

describe('agreement', () => {
  it.each(named(agreed))('$name', ({ a, b }) => {
    expect(sameThing(a, b)).toBe(true)
    expect(agrees(a, b)).toBe(true)
  })
})

describe('two things', () => {
  it.each(named(unrelated))('$name', ({ a, b }) => {
    expect(sameThing(a, b)).toBe(false)
    expect(agrees(a, b)).toBe(false)
  })
})

const said = [...changed, ...agreed, ...unrelated].flat()
const payload: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom(...said).map((one) => (typeof one === 'string' ? { data: one } : one)),
  fc.string({ unit: 'grapheme' }).map((data) => ({ data })),
  fc
    .array(
      fc.constantFrom('Anna', 'port', 'not', '8080', 'the', 'office', 'is', 'Berlin', ',', '.', 'closed'),
    )
    .map((words) => ({ data: words.join(' ') })),
  fc.dictionary(
    fc.constantFrom('task', 'status', 'port', 'note'),
    fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  ),
)

describe('every two texts', () => {
  it('the order of the two does not matter', () => {
    fc.assert(
      fc.property(
        payload,
        payload,
        fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
        (x, y, cosine) => {
          const a = readPayload(x)
          const b = readPayload(y)
          expect(sameThing(a, b)).toBe(sameThing(b, a))
          expect(agrees(a, b)).toBe(agrees(b, a))
          expect(saysTheSame(a, b)).toBe(saysTheSame(b, a))
          expect(likenessTo(a)(b, cosine)).toBeCloseTo(likenessTo(b)(a, cosine), 10)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('a text says the same as itself, and agrees with itself', () => {
    fc.assert(
      fc.property(payload, (x) => {
        expect(saysTheSame(readPayload(x), readPayload(x))).toBe(true)
        expect(agrees(readPayload(x), readPayload(x))).toBe(true)
        expect(sameThing(readPayload(x), readPayload(x))).toBe(true)
      }),
    )
  })

  it('texts that agree speak of the same thing', () => {
    fc.assert(
      fc.property(payload, payload, (x, y) => {
        const [a, b] = [readPayload(x), readPayload(y)]
        if (agrees(a, b)) expect(sameThing(a, b)).toBe(true)
        if (saysTheSame(a, b)) expect(agrees(a, b)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('likeness is a share', () => {
    fc.assert(
      fc.property(payload, payload, (x, y) => {
        const likeness = likenessTo(readPayload(x))(readPayload(y))
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('likeness', () => {
  it('what speaks of the same thing is always worth offering', () => {
    for (const { a, b } of named([...changed, ...agreed]))
      expect(likenessTo(a)(b)).toBeGreaterThanOrEqual(MAY_SPEAK_OF_THE_SAME)
  })
})

describe('speed', () => {
  it('1,000 memories beside one event take well under 20 ms', () => {
    const memories = Array.from({ length: 1000 }, (_, i) => read(said[i % said.length] ?? ''))
    const event = read(
      'From Monday on the order service of the Hamburg office listens on port 9090, not on 8080',
    )
    const times = Array.from({ length: 10 }, () => {
      const start = performance.now()
      for (const memory of memories) sameThing(event, memory)
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(20)
  })
})

it('a second is no two', () => {
  expect(agrees(read('The sensor sends every second'), read('The sensor sends every 2 minutes'))).toBe(false)
})

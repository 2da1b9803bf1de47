import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LINK_FIELDS, linkPaths, linksByField } from '../../src/domain/links.js'
import { LINK_KINDS, type Link } from '../../src/domain/model.js'

const links = fc.array(
  fc.record({ kind: fc.constantFrom(...LINK_KINDS), target: fc.constantFrom('a:x', 'a:y', '__proto__:z') }),
) satisfies fc.Arbitrary<Link[]>

describe('links', () => {
  test('of every kind have a field of their own', () => {
    expect(Object.keys(LINK_FIELDS).sort()).toEqual([...LINK_KINDS].sort())
    expect(new Set(Object.values(LINK_FIELDS)).size).toBe(LINK_KINDS.length)
  })

  test('are listed by field in the order in which they were stated', () => {
    expect(
      linksByField([
        { kind: 'contradiction', target: 'a:2' },
        { kind: 'related-to', target: 'a:3' },
        { kind: 'contradiction', target: 'a:1' },
      ]),
    ).toEqual({ reinforces: [], extends: [], contradicts: ['a:2', 'a:1'], related_to: ['a:3'] })
  })

  test('without any link, every field is an empty list', () => {
    expect(linksByField([])).toEqual({ reinforces: [], extends: [], contradicts: [], related_to: [] })
  })

  test('are pointed at where the event states them', () => {
    fc.assert(
      fc.property(links, (stated) => {
        const fields = new Map(Object.entries(linksByField(stated)))
        const paths = linkPaths(stated)
        expect(paths.map(({ target }) => target)).toEqual(stated.map(({ target }) => target))
        expect(new Set(paths.map(({ path }) => path)).size).toBe(stated.length)
        for (const { target, path } of paths) {
          const [, field = '', index = ''] = path.split('/')
          expect(fields.get(field)?.[Number(index)]).toBe(target)
        }
      }),
    )
  })
})

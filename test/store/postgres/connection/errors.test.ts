import { expect, test } from 'vitest'
import { toFailure } from '../../../../src/store/postgres/connection/errors.js'

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const full = Object.assign(new Error('full'), { code: '53100' })
const standby = Object.assign(new Error('read only'), { code: '25006' })

test.each(['read', 'recorded', 'imported', 'erased', 'changed'] as const)(
  'what was not %s is said, whatever the reason',
  (verb) => {
    for (const error of [refused, full, standby])
      expect(toFailure(error, verb)).toMatchObject({
        message: expect.stringContaining(`nothing was ${verb}.`),
      })
    expect(toFailure(refused, verb, false)).toMatchObject({
      message: expect.stringContaining(`whether this was ${verb} is not known: send it again`),
    })
  },
)

test('a mistake of ours stays what it is', () => {
  const mistake = Object.assign(new Error('syntax'), { code: '42601' })
  expect(toFailure(mistake, 'read')).toBe(mistake)
})

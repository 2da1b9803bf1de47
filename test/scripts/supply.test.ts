import { describe, expect, test } from 'vitest'
import { mistakesOf } from '../../scripts/supply/rules.js'

const GOOD = { license: 'MIT', integrity: 'sha512-x' }

describe('C18: what a production dependency must not be', () => {
  test('C18: nothing is said of a good one', () => {
    expect(mistakesOf('a', GOOD, {})).toEqual([])
    expect(mistakesOf('a', { integrity: 'sha512-x' }, { licenses: [{ type: 'MIT' }] })).toEqual([])
    expect(mistakesOf('a', { ...GOOD, optional: true }, undefined)).toEqual([])
  })

  test.each([
    ['of a licence that asks for more', { ...GOOD, license: 'GPL-3.0' }, {}, 'GPL-3.0'],
    ['of no licence', { integrity: 'sha512-x' }, {}, '(none)'],
    ['without a hash', { license: 'MIT' }, {}, 'SHA-512'],
    ['with a weak hash', { ...GOOD, integrity: 'sha1-x' }, {}, 'SHA-512'],
    ['from elsewhere', { ...GOOD, resolved: 'https://evil.example/a.tgz' }, {}, 'evil.example'],
    ['from a repository', { ...GOOD, resolved: 'git+ssh://git@host/a.git' }, {}, 'git+ssh'],
    ['over plain HTTP', { ...GOOD, resolved: 'http://host.example/a.tgz' }, {}, 'http://'],
    ['with an install script in the lockfile', { ...GOOD, hasInstallScript: true }, {}, 'script'],
    ['with an install script', GOOD, { scripts: { postinstall: 'node x' } }, 'script'],
    ['that is not there', GOOD, undefined, 'not installed'],
  ])('C18: one %s', (_name, locked, installed, words) => {
    expect(mistakesOf('a', locked, installed)).toEqual([expect.stringContaining(words)])
  })
})

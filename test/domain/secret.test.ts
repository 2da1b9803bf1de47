import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isMistyped, makeSecret, SECRET } from '../../src/domain/secret.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const TOKENS = 10_000

describe('C11: secrets', () => {
  const secrets = Array.from({ length: TOKENS }, () => makeSecret(randomBytes))

  test('all different, all of the form that the README gives to scanners', () => {
    expect(new Set(secrets).size).toBe(TOKENS)
    for (const secret of secrets) expect(secret).toMatch(/^lore_[A-Za-z0-9_-]{48}$/)
  })

  test('256 random bits, then their CRC-32', () => {
    for (const secret of secrets.slice(0, 100)) {
      const bytes = Buffer.from(secret.slice(5), 'base64url')
      expect(bytes.length).toBe(36)
      expect(bytes.readUInt32BE(32)).toBe(crc32(bytes.subarray(0, 32)))
    }
  })

  test('one changed character is always noticed', () => {
    let unnoticed = 0
    secrets.forEach((secret, i) => {
      const at = 5 + (i % 48)
      const other = ALPHABET[(ALPHABET.indexOf(secret.charAt(at)) + 1 + (i % 63)) % 64] ?? ''
      const changed = secret.slice(0, at) + other + secret.slice(at + 1)
      expect(changed).not.toBe(secret)
      if (!isMistyped(changed)) unnoticed++
      if (isMistyped(secret)) unnoticed++
    })
    expect(unnoticed).toBe(0)
  })

  test('two neighbours that changed places are always noticed', () => {
    for (const secret of secrets.slice(0, 1000))
      for (let at = 5; at < 52; at += 7) {
        const swapped = secret.slice(0, at) + secret.charAt(at + 1) + secret.charAt(at) + secret.slice(at + 2)
        if (swapped !== secret) expect(isMistyped(swapped)).toBe(true)
      }
  })

  test('a secret of another form, such as one that an owner chose, is not called mistyped', () => {
    for (const secret of ['', 'x'.repeat(48), `lore_${'A'.repeat(43)}`, `lore_${'A'.repeat(49)}`, 'LORE_x'])
      expect(isMistyped(secret)).toBe(false)
    expect(SECRET.test(`lore_${'A'.repeat(48)}`)).toBe(true)
  })
})

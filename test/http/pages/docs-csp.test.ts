import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { docsCsp } from '../../../src/http/pages/docs-csp.js'

const FILE = new URL('../../../dist/docs/index.html', import.meta.url)
const built = existsSync(FILE)

describe('the built documentation', () => {
  test('has been built (npm ci does it; otherwise run npm run build)', () => expect(built).toBe(true))

  test.runIf(built)('loads nothing from anywhere: it is one file', () => {
    const html = readFileSync(FILE, 'utf8')
    const markup = html.replace(/<script(?:\s[^>]*)?>[\s\S]*?<\/script>/g, (script) =>
      script.slice(0, script.indexOf('>') + 1),
    )
    expect(markup.match(/<script[^>]*\ssrc=/g)).toBeNull()
    expect(markup.match(/<link[^>]*\shref=["']?(?!data:)[^>]*>/g)).toBeNull()
    expect(markup.match(/<(?:img|iframe|object|embed|source)[^>]*\s(?:src|data)=["']?https?:/g)).toBeNull()
    expect(html).not.toContain('cdn.redoc.ly')
    expect(markup.match(/url\(\s*["']?https?:/g)).toBeNull()
  })

  test.runIf(built)(
    'its links lead to places in itself, also in a new window, and one to the explorer',
    () => {
      const html = readFileSync(FILE, 'utf8')
      expect(html).toContain(' href="#/events"')
      expect(html.match(/ href="\/[^"]*"/g)).toEqual([' href="/"'])
    },
  )

  test.runIf(built)('needs only its own scripts, and no eval', () => {
    const html = readFileSync(FILE, 'utf8')
    const scripts =
      docsCsp(html)
        .split('; ')
        .find((rule) => rule.startsWith('script-src')) ?? ''
    expect(scripts).toMatch(/^script-src( 'sha256-[A-Za-z0-9+/]+=*')+$/)
    expect(html).not.toMatch(/new Function\(/)
  })
})

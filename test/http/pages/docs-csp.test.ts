import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { docsCsp, pictureCsp } from '../../../src/http/pages/docs.js'

const FILE = new URL('../../../dist/docs/index.html', import.meta.url)
const built = existsSync(FILE)
const ICON = '<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">'

describe('the built documentation', () => {
  test('has been built (npm ci does it; otherwise run npm run build)', () => expect(built).toBe(true))

  test.runIf(built)('loads nothing but its icon: it is one file', () => {
    const html = readFileSync(FILE, 'utf8')
    const markup = html.replace(/<script(?:\s[^>]*)?>[\s\S]*?<\/script>/g, (script) =>
      script.slice(0, script.indexOf('>') + 1),
    )
    expect(markup.match(/<script[^>]*\ssrc=/g)).toBeNull()
    expect(markup.match(/<link[^>]*\shref=["']?(?!data:)[^>]*>/g)).toEqual([ICON])
    expect(markup.match(/<(?:img|iframe|object|embed|source)[^>]*\s(?:src|data)=["']?https?:/g)).toBeNull()
    expect(html).not.toContain('cdn.redoc.ly')
    expect(markup.match(/url\(\s*["']?https?:/g)).toBeNull()
  })

  test.runIf(built)(
    'its links lead to places in itself, also in a new window, to the pages beside it and to the explorer',
    () => {
      const html = readFileSync(FILE, 'utf8')
      expect(html).toContain(' href="#/events"')
      const others = new Set(Array.from(html.matchAll(/<a [^>]*?href="(\/[^"]*)"/g), ([, to]) => to))
      expect([...others].sort()).toEqual([
        '/',
        '/docs/cli',
        '/docs/confidence',
        '/docs/for-agents',
        '/docs/meaning',
        '/docs/operations',
        '/docs/problems',
        '/docs/story',
        '/docs/time',
        '/docs/tour',
        '/docs/trust',
      ])
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

describe('a picture', () => {
  test('opened by itself has its own style, and nothing else', () => {
    expect(pictureCsp('<svg><style>a { fill: red }</style></svg>')).toBe(
      "default-src 'none'; style-src 'sha256-4Hn6X7qU8TTyzDClYI86nni+nhWJ3ZGl2t5HWQjQOmg='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(pictureCsp('<svg></svg>')).toContain("style-src 'none'")
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { servedAt, toHtml } from '../../scripts/docs/markdown.js'
import { GUIDES, guidePages, ILLUSTRATED } from '../../scripts/docs/pages.js'
import { problemPages, sectionsOf } from '../../scripts/docs/problems.js'
import { ROOT } from '../../scripts/proof/paths.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { PROBLEMS } from '../../src/http/problems/problems.js'
import { createSchemas, readOpenApi } from '../support/openapi.js'
import { expectFieldError } from '../support/problem.js'

const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')
const problems = read('problems.md')
const pages = new Map([
  ...guidePages(GUIDES.map((guide) => [guide, read(`${guide.name}.md`)] as const)),
  ...problemPages(problems),
])
const fits = createSchemas(readOpenApi())({ $ref: '#/components/schemas/Problem' })

describe('the pages about problems', () => {
  const { sections } = sectionsOf(problems)

  test('are those of the table of errors: none is missing, none is left over, none is there twice', () => {
    expect(sections.map(({ code }) => code)).toEqual(Object.keys(PROBLEMS))
    for (const code of Object.keys(PROBLEMS)) expect(pages.has(`problems/${code}`), code).toBe(true)
  })

  test.each(sections)('$code: what it means, why, what to do, and a body that fits', ({ code, markdown }) => {
    const { status, title } = PROBLEMS[code as keyof typeof PROBLEMS]
    expect(markdown.split('\n')[0]).toBe(`${status} · ${title}`)
    expect(markdown).toMatch(
      /^\d+ · .+\n\n[A-Z`].+\n\n\*\*Why\.\*\* .+\n\n\*\*What to do\.\*\* .+\n\n```json\n/,
    )
    const [example, ...more] = blocksOf(markdown)
    expect(more).toEqual([])
    const body = JSON.parse(example?.text ?? '')
    expect(fits(body) ? [] : fits.errors).toEqual([])
    expect(body).toMatchObject({ type: `urn:loregraph:problem:${code}`, title, status, code })
    for (const error of body.errors ?? []) expectFieldError(error)
    expect(pages.get('problems')).toContain(`href="/docs/problems/${code}"`)
  })

  test('a code too few or too many fails the build', () => {
    const few = problems.replace(/^## graph_exists$[\s\S]*?(?=^## )/m, '')
    expect(() => problemPages(few)).toThrow('docs/problems.md: graph_exists is missing')
    expect(() => problemPages(`${problems}\n## made_up\n\n400 · x\n`)).toThrow('made_up is left over')
  })
})

describe('the pages that are served', () => {
  test.each([...pages])('%s has a title, nothing inline, and no request off our origin', (_name, html) => {
    expect(html).toMatch(/<title>[^<]+ · Loregraph<\/title>/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).not.toMatch(/<script|<style| style=| on\w+=/)
    expect(html).not.toMatch(/(?:src|href)="(?!\/|#)/)
  })

  test.each([...pages])('%s: every link leads to something', (name, html) => {
    const others = ['/', '/docs', '/openapi.yaml', '/docs/style.css', '/docs/icon.svg']
    const served = [...others, ...[...pages.keys()].map((page) => `/docs/${page}`)]
    for (const [, to = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g)) {
      const [path = '', anchor] = to.split('#')
      if (path.startsWith('/docs/pictures/')) expect(existsSync(join(ROOT, path))).toBe(true)
      else if (path !== '') expect(served, name).toContain(path)
      if (anchor !== undefined && path === '') expect(html).toContain(` id="${anchor}"`)
    }
  })

  test('each of them leads to all others of the same kind, to the reference and to the explorer', () => {
    for (const [name, html] of pages)
      for (const to of ['/', '/docs', '/docs/problems', ...GUIDES.map((guide) => `/docs/${guide.name}`)])
        expect(html, name).toContain(`<a href="${to}"`)
  })

  test('each illustrated guide has a picture with a text in its place, and every picture is used', () => {
    const used = ILLUSTRATED.map(
      ({ name }) => /<img src="([^"]+)" alt="[^"]{80,}">/.exec(pages.get(name) ?? '')?.[1],
    )
    expect(used).toEqual(ILLUSTRATED.map(({ name }) => `/docs/pictures/${name}.svg`))
    const drawn = readdirSync(join(ROOT, 'docs/pictures')).filter((name) => name.endsWith('.svg'))
    expect(drawn.sort()).toEqual(ILLUSTRATED.map(({ name }) => `${name}.svg`).sort())
  })
})

describe('Markdown', () => {
  test.each([
    ['trust.md', '/docs/trust'],
    ['problems.md', '/docs/problems'],
    ['problems.md#not_found', '/docs/problems/not_found'],
    ['story.md#in-python', '/docs/story#in-python'],
    ['pictures/trust.svg', '/docs/pictures/trust.svg'],
    ['../openapi/openapi.yaml', '/openapi.yaml'],
    ['#in-python', '#in-python'],
  ])('%s is served at %s', (href, path) => expect(servedAt(href)).toBe(path))

  test('a link to what is not served, and HTML, fail the build', () => {
    expect(() => servedAt('../src/main.ts')).toThrow('../src/main.ts')
    expect(() => toHtml('<b>x</b>')).toThrow('without HTML')
  })

  test('what is only in the repository is named, not linked', () => {
    expect(toHtml('[`plugins/AGENTS.md`](../plugins/AGENTS.md)')).toBe(
      '<p><code>plugins/AGENTS.md</code></p>\n',
    )
  })

  test('what is shown as code is text', () => {
    expect(toHtml('```json\n{ "a": "<script>" }\n```')).toContain(
      '{ &quot;a&quot;: &quot;&lt;script&gt;&quot; }',
    )
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUIDES, ILLUSTRATED } from '../../scripts/docs/pages.js'
import { PROBLEMS } from '../../src/http/problems/problems.js'
import { readBuilt } from '../../src/service/built-files.js'
import { overflowOf, seriousIn } from '../support/axe.js'
import { CHROMIUM, newReader, openBrowser, startExplored } from '../support/explorer.js'
import { ROOT } from '../support/program.js'
import type { TestServer } from '../support/server.js'

/** Problems are made alike; the longest and the shortest are looked at. */
const PATHS = [
  ...GUIDES.map(({ name }) => `/docs/${name}`),
  '/docs/problems',
  '/docs/problems/idempotency_key_reused',
  '/docs/problems/invalid_request',
]
const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
} as const

describe.runIf(CHROMIUM !== undefined)('the pages beside the reference, in a real browser', () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    const docs = () => readBuilt(join(ROOT, 'dist/docs'))
    ;[server, browser] = await Promise.all([startExplored({ docs }), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('every page and every code opens without a complaint, under its own policy', async () => {
    const reader = await newReader(browser, server)
    const codes = Object.keys(PROBLEMS).map((code) => `/docs/problems/${code}`)
    for (const path of [...PATHS, ...codes]) {
      const response = await reader.page.goto(server.url + path)
      expect([path, response?.status()]).toEqual([path, 200])
      await reader.page.locator('main h1').waitFor()
      expect(await brokenImages(reader.page), path).toEqual([])
    }
    await reader.leave()
  })

  test.each(Object.entries(LOOKS))('%s: readable; axe finds nothing serious', async (look, options) => {
    const reader = await newReader(browser, server, { ...options, bypassCSP: true })
    const found: string[] = []
    for (const path of PATHS) {
      await reader.page.goto(server.url + path)
      if (look !== 'phone') for (const it of await seriousIn(reader.page)) found.push(`${path}: ${it}`)
      if ((await overflowOf(reader.page)) > 0) found.push(`${path}: wider than the window`)
      await reader.picture(`${path.slice(1).replaceAll('/', '-')}-${look}`)
    }
    await reader.leave()
    expect(found).toEqual([])
  })

  test('a picture that is opened by itself is drawn under its own policy, light and dark', async () => {
    for (const [colorScheme, ink] of [
      ['light', 'rgb(34, 38, 43)'],
      ['dark', 'rgb(233, 230, 223)'],
    ] as const) {
      const reader = await newReader(browser, server, { colorScheme })
      for (const { name } of ILLUSTRATED) {
        await reader.page.goto(`${server.url}/docs/pictures/${name}.svg`)
        const fill = await reader.page.evaluate('getComputedStyle(document.documentElement).fill')
        expect([name, fill]).toEqual([name, ink])
      }
      await reader.leave()
    }
  })

  test('one comes from the explorer to the reference, to the story, through all pages, and back', async () => {
    const reader = await newReader(browser, server)
    const { page } = reader
    const path = () => new URL(page.url()).pathname
    await page.goto(server.url)
    await page.getByRole('link', { name: 'Read the documentation' }).click()
    await page.waitForURL('**/docs')
    await page.getByRole('link', { name: 'The story', exact: true }).click()
    await page.waitForURL('**/docs/story')
    for (const { title } of GUIDES.slice(1)) {
      await page.locator('.onward a').click()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    }
    await page.locator('.onward a').click()
    await page.getByRole('link', { name: 'graph_not_found' }).click()
    await page.getByRole('heading', { level: 1, name: 'No such graph' }).waitFor()
    await page.getByRole('link', { name: 'Reference' }).click()
    await page.waitForURL('**/docs')
    await page.getByRole('navigation', { name: 'Loregraph' }).getByRole('link', { name: 'Explorer' }).click()
    await page.getByLabel('Secret').waitFor()
    expect(path()).toBe('/')
    await reader.leave()
  })

  test('the explorer and the documentation have the same icon, and no icon is asked for that is not there', async () => {
    const reader = await newReader(browser, server)
    const icons = new Set<string>()
    for (const path of ['/', '/docs', '/docs/story', '/docs/problems']) {
      await reader.page.goto(server.url + path)
      const href = await reader.page.locator('link[rel=icon]').getAttribute('href')
      const response = await fetch(new URL(href ?? '', reader.page.url()))
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'image/svg+xml; charset=utf-8',
      ])
      icons.add(await response.text())
    }
    expect([...icons]).toEqual([await readFile(join(ROOT, 'src/explorer/icon.svg'), 'utf8')])
    await reader.leave()
  })

  test('the keyboard leads past the navigation to the text', async () => {
    const reader = await newReader(browser, server)
    await reader.page.goto(`${server.url}/docs/trust`)
    await reader.page.keyboard.press('Tab')
    await reader.page.keyboard.press('Enter')
    expect(await reader.page.evaluate('document.activeElement.id')).toBe('text')
    await reader.leave()
  })
})

function brokenImages(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.images].filter((image) => !image.complete || image.naturalWidth === 0).map((image) => image.src)`,
  )
}

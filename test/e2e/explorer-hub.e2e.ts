import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from '../support/explored-graph.js'
import { describeExplored, newReader, openBrowser } from '../support/explorer.js'
import type { TestServer } from '../support/server.js'

const MEMORIES = 1000
const LINKS_EACH = 50

describeExplored('the explorer, around a context with 50,000 links', (start) => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([start(), openBrowser()])
    await record(
      server,
      'hub',
      Array.from({ length: MEMORIES }, (_, index) => ({
        context_id: 'hub:middle',
        event_kind: 'fact',
        payload: { value: `Said ${index}` },
        related_to: Array.from({ length: LINKS_EACH }, (_, n) => `leaf:number_${index * LINKS_EACH + n}`),
      })),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('it can be walked with the keys, and says how many contexts were left out', async () => {
    const { page, ...reader } = await newReader(browser, server)
    await reader.open('/graphs/hub/contexts/hub/middle/around?depth=1')
    await reader.signIn(server.secret)
    await page.getByText(/49,\d{3} contexts more left out, the nearest are shown/).waitFor()
    await page.locator('.picture canvas').first().waitFor()
    await page.locator('a.near').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('a.near:focus').waitFor()
    const near = await page.locator('a.near:focus .list-name').textContent()
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: `Around ${near?.replace('leaf', '')}` }).waitFor()
    await page.locator('a.near', { hasText: 'middle' }).waitFor()
    expect(await page.locator('a.near').count()).toBe(1)
    await reader.leave()
  })
})

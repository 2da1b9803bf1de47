import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { overflowOf, seriousIn } from '../support/axe.js'
import { loadExplored } from '../support/explored-graph.js'
import { CHROMIUM, newReader, openBrowser, startExplored } from '../support/explorer.js'
import type { TestServer } from '../support/server.js'

/** Every view, by the name of its picture. */
const VIEWS = {
  graphs: '/',
  graph: '/graphs/demo',
  contexts: '/graphs/demo/contexts',
  search: '/graphs/demo/contexts?q=re',
  type: '/graphs/demo/contexts/skill',
  replaced: '/graphs/demo/contexts/decision/test_runner',
  disputed: '/graphs/demo/contexts/error/payment_timeout',
  stale: '/graphs/demo/contexts/tool/ci',
  expired: '/graphs/demo/contexts/decision/release_freeze',
  around: '/graphs/demo/contexts/skill/react_performance/around',
  ask: '/graphs/demo/ask?task=Which+test+runner+do+we+use%3F',
  inbox: '/graphs/demo/inbox',
  erase: '/graphs/demo/erase?context=decision%3Atest_runner',
  gone: '/graphs/demo/contexts/skill/never_heard_of',
}

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
} as const

describe.runIf(CHROMIUM !== undefined)('the explorer, looked at', () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startExplored(), openBrowser()])
    await loadExplored(server)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test.each(Object.entries(LOOKS))(
    '%s: every view is readable: axe finds nothing serious',
    async (look, options) => {
      // Axe puts a script into the page, which its policy forbids.
      const reader = await newReader(browser, server, { ...options, bypassCSP: true, provokes: [404] })
      const { page } = reader
      const found: string[] = []
      const judge = async (view: string) => {
        // A narrow window has the same colours and names.
        if (look === 'phone') return
        for (const finding of await seriousIn(page)) found.push(`${view}: ${finding}`)
      }
      await reader.open('/')
      await page.getByLabel('Secret').waitFor()
      await judge('sign-in')
      await reader.picture(`sign-in-${look}`)
      await reader.signIn(server.secret)
      for (const [name, view] of Object.entries(VIEWS)) {
        await reader.open(view)
        await page.locator('main h1').waitFor()
        await page.locator('.loading').waitFor({ state: 'detached' })
        if (name === 'around' && look === 'phone') await page.getByRole('button', { name: 'Picture' }).click()
        if (name === 'around') await page.locator('canvas').first().waitFor()
        await judge(name)
        await reader.picture(`${name}-${look}`)
        if (name === 'inbox') {
          await page.getByRole('button', { name: 'The earlier holds' }).first().click()
          await page.getByRole('button', { name: 'Preview' }).click()
          await page.locator('.receipt').waitFor()
          await judge('settle')
          await reader.picture(`settle-${look}`)
        }
        if ((await overflowOf(page)) > 0) found.push(`${name}: wider than the window`)
      }
      await reader.leave()
      expect(found).toEqual([])
    },
  )
})

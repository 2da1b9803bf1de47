import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadExplored } from '../support/explored-graph.js'
import { CHROMIUM, newReader, openBrowser, startExplored } from '../support/explorer.js'
import type { TestServer } from '../support/server.js'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

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
        await page.addScriptTag({ path: AXE })
        const result = await page.evaluate<AxeResult>(`axe.run({ resultTypes: ['violations'] })`)
        for (const { id, impact, nodes } of result.violations)
          if (impact === 'serious' || impact === 'critical')
            found.push(`${view}: ${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
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
          await page.getByRole('button', { name: 'See what it would do' }).click()
          await page.locator('.receipt').waitFor()
          await judge('settle')
          await reader.picture(`settle-${look}`)
        }
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        if ((await page.evaluate<number>(overflow)) > 0) found.push(`${name}: wider than the window`)
      }
      await reader.leave()
      expect(found).toEqual([])
    },
  )
})

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

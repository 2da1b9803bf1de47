import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { readBuilt } from '../../src/service/built-files.js'
import { findChromium } from './chromium.js'
import { createDatabase, describePostgres, openStore } from './postgres.js'
import { ROOT } from './program.js'
import { startTestServer, type TestOptions, type TestServer } from './server.js'

export const CHROMIUM = findChromium()
const PICTURES = join(ROOT, '.cache/explorer')

export const explorer = () => readBuilt(join(ROOT, 'dist/explorer'))

/** The service with the built explorer. */
export const startExplored = (options: TestOptions = {}): Promise<TestServer> =>
  startTestServer({ explorer, ...options })

/** The same on a database of its own, which goes with it. */
async function startOnDatabase(): Promise<TestServer> {
  const database = await createDatabase()
  const store = await openStore(database.url)
  const server = await startExplored({ store })
  return {
    ...server,
    async stop() {
      await server.stop()
      await store.close()
      await database.drop()
    },
  }
}

/** The tests of views, on each store: `start` gives them a service that runs on it. */
export function describeExplored(name: string, tests: (start: () => Promise<TestServer>) => void): void {
  describe.runIf(CHROMIUM !== undefined)(name, () => {
    describe('on files', () => tests(startExplored))
    describePostgres('on PostgreSQL', () => tests(startOnDatabase))
  })
}

export function openBrowser(): Promise<Browser> {
  mkdirSync(PICTURES, { recursive: true })
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    // Nothing but this machine can be reached, whatever the page or the browser would like.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
}

export interface Reader {
  readonly page: Page
  readonly context: BrowserContext
  /** Goes to the view with this address, e.g. `/graphs/demo`. */
  open(view: string): Promise<void>
  signIn(secret: string): Promise<void>
  /** Keeps a picture of what is seen, for people to look at. */
  picture(name: string): Promise<void>
  /** Fails if the page complained, was held back by its policy, or asked anybody else. */
  leave(): Promise<void>
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

interface ReaderOptions extends ContextOptions {
  /** Statuses that the browser may report on its console, because the test provokes them. */
  readonly provokes?: readonly number[]
  /** The service goes away in this test. */
  readonly losesService?: boolean
}

/** A window of its own, which notes everything that a good page does not do. */
export async function newReader(
  browser: Browser,
  server: TestServer,
  { provokes = [], losesService = false, ...options }: ReaderOptions = {},
): Promise<Reader> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  const isProvoked = (text: string) =>
    provokes.some((status) => text.includes(`status of ${status}`)) ||
    (losesService && /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|ERR_INTERNET/.test(text))
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !isProvoked(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`asked ${request.url()}`)
  })
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))`,
  )
  return {
    page,
    context,
    async open(view) {
      await page.goto(`${server.url}/#${view}`)
    },
    async signIn(secret) {
      await page.getByLabel('Secret').fill(secret)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
    },
    async picture(name) {
      await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
    },
    async leave() {
      await context.close()
      expect(complaints).toEqual([])
    },
  }
}

import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../test/support/chromium.js'
import { startService } from '../proof/service.js'

/** What `docs/explorer.md` shows of the demo graph, by the name of the file. */
export const PICTURES = {
  belief: { view: '/graphs/demo/contexts/decision/test_runner', height: 620 },
  ask: { view: '/graphs/demo/ask?task=Which+package+manager+do+we+use%3F', height: 1112 },
  around: { view: '/graphs/demo/contexts/project/checkout/around?depth=2', height: 940 },
  inbox: { view: '/graphs/demo/inbox', height: 870 },
} as const
export type PictureName = keyof typeof PICTURES

/**
 * Each picture as PNG, taken of the service as a newcomer has it. They are the same each time: the demo graph has fixed
 * times, and the page shows times in UTC.
 */
export async function takePictures(): Promise<ReadonlyMap<PictureName, Buffer>> {
  const service = await startService()
  let browser: Browser | undefined
  try {
    browser = await openBrowser()
    const page = await browser.newPage({
      viewport: { width: 1100, height: 700 },
      deviceScaleFactor: 1,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    await signIn(page, service)
    const taken = new Map<PictureName, Buffer>()
    for (const name of Object.keys(PICTURES) as PictureName[])
      taken.set(name, await take(page, service.url, name))
    return taken
  } finally {
    await browser?.close()
    await service.stop()
  }
}

async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('Install Chromium to take pictures (apt-get install chromium-headless-shell).')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

async function signIn(page: Page, { url, secret }: { url: string; secret: string }): Promise<void> {
  await page.goto(`${url}/`)
  await page.getByLabel('Secret').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

async function take(page: Page, url: string, name: PictureName): Promise<Buffer> {
  const { view, height } = PICTURES[name]
  await page.setViewportSize({ width: 1100, height })
  await page.goto(`${url}/#${view}`)
  await page.locator('main h1').waitFor()
  await page.locator('.loading').waitFor({ state: 'detached' })
  await page.getByText('Live', { exact: true }).waitFor()
  if (name === 'around') await page.locator('.picture canvas').first().waitFor()
  if (name === 'ask') await page.locator('.evidence a').first().waitFor()
  return unmoving(page)
}

/** What is drawn is drawn in steps: it is done when a second changes nothing. */
async function unmoving(page: Page): Promise<Buffer> {
  let now = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  for (let round = 0; round < 20; round++) {
    await page.waitForTimeout(1000)
    const before = now
    now = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (now.equals(before)) return now
  }
  throw new Error('The page never comes to rest.')
}

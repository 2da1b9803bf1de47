import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadExplored } from '../support/explored-graph.js'
import { describeExplored, newReader, openBrowser, type Reader } from '../support/explorer.js'
import type { TestServer } from '../support/server.js'

/** What a reader does on a good day, in one window, on files as on PostgreSQL. */
async function walk(reader: Reader, server: TestServer): Promise<void> {
  const { page } = reader
  await reader.open('/')
  await reader.signIn(server.secret)

  // Graphs → types → contexts, and search as you type.
  await page.getByRole('link', { name: /^demo/ }).click()
  await seen(page, 'h1', 'demo')
  await page.getByText('open questions').waitFor()
  await page.getByRole('link', { name: 'Contexts', exact: true }).click()
  await page.getByRole('link', { name: /^skill/ }).click()
  await page.getByRole('link', { name: /^react hooks/ }).waitFor()
  await page.goBack()
  await page.getByLabel('Search contexts by name').pressSequentially('runn')
  await page.getByRole('link', { name: /test runner/ }).click()

  // A context: what stands, what was replaced, and how often it was said.
  await seen(page, 'h1', 'test runner')
  const replaced = page.locator('article.tone-superseded')
  await replaced.waitFor()
  expect(await replaced.locator('s').textContent()).toBe('jest')
  expect(await replaced.locator('.fate').textContent()).toContain('Replaced by “test runner: vitest')
  const standing = page.locator('article.tone-current')
  expect(await standing.textContent()).toContain('Replaces “test runner: jest”')
  await standing.getByRole('button', { name: '2 statements' }).click()
  expect(await standing.locator('.statements li').allTextContents()).toEqual([
    expect.stringMatching(
      /2 Mar 2026 first said by user; replaced a memory of decision:test_runner · place 61/,
    ),
    expect.stringMatching(/11 Mar 2026 said again by executor/),
  ])

  // Around it, walking with the keys.
  await page.getByRole('link', { name: 'Around it' }).click()
  await page.locator('canvas').first().waitFor()
  await page.locator('a.near').first().focus()
  await page.keyboard.press('ArrowDown')
  const near = await page.locator('a.near:focus .list-name').textContent()
  await page.keyboard.press('Enter')
  await seen(page, 'h1', `Around ${near?.replace(/^(skill|tool|decision|procedure)/, '')}`)
  await page.goBack()
  await seen(page, 'h1', 'Around test runner')
  await page.goForward()
  await seen(page, 'h1', `Around ${near?.replace(/^(skill|tool|decision|procedure)/, '')}`)

  // A question, as it stands and as it stood; each piece of evidence is a link.
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByLabel('Your question or task').fill('Which test runner do we use?')
  await page.keyboard.press('Enter')
  await page.locator('.finding').waitFor()
  expect(await page.locator('.finding > .says').textContent()).toContain('vitest')
  expect(await page.locator('.level').textContent()).toMatch(/^Confidence: (high|medium)$/)
  expect(await page.locator('.reasons li').count()).toBeGreaterThan(0)
  await page.locator('.evidence a').first().click()
  await seen(page, '.claim-focused .says', 'vitest')
  await page.goBack()
  await page.getByLabel('As it stood at the end of').fill('2026-01-31')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await seen(page, '.finding > .says', 'jest')
}

/** Settles what is open and erases; what is recorded elsewhere appears meanwhile. */
async function change(reader: Reader, server: TestServer): Promise<void> {
  const { page } = reader
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()
  const dispute = page.getByRole('article', { name: 'Dispute in error:payment_timeout' })
  await dispute.getByRole('button', { name: 'The earlier holds' }).click()
  await dispute.getByRole('button', { name: 'Preview' }).click()
  expect(await dispute.locator('.receipt').textContent()).toContain(
    'It would replace “Payments time out not because',
  )
  expect(await disputes(server)).toBe(2)
  await dispute.getByRole('button', { name: 'Record it' }).click()
  await dispute.waitFor({ state: 'detached' })
  expect(await disputes(server)).toBe(1)

  const stale = page.getByRole('article', { name: 'Stale in tool:ci' })
  await stale.getByRole('button', { name: 'Correct it' }).click()
  await stale.getByRole('textbox').fill('CI runs vitest with two workers')
  await stale.getByRole('button', { name: 'Preview' }).click()
  await stale.locator('.receipt').getByText('It would replace').waitFor()
  await stale.getByRole('button', { name: 'Record it' }).click()
  await stale.waitFor({ state: 'detached' })

  // Recorded elsewhere: here without a reload.
  await page.getByRole('link', { name: 'Overview' }).click()
  const memories = page.locator('.count', { hasText: 'memories' }).locator('strong')
  const before = Number(await memories.textContent())
  await server.call('/v1/events', {
    json: {
      graph_id: 'demo',
      event_kind: 'fact',
      context_id: 'tool:from_elsewhere',
      payload: { value: 'Hello' },
    },
  })
  await page.getByRole('heading', { name: 'Just recorded' }).waitFor()
  await expect.poll(() => memories.textContent()).toBe(String(before + 1))
  await page.locator('.now').getByRole('link', { name: 'tool:from_elsewhere' }).click()

  // Erased, after the list of what would go.
  await page.locator('.heading').getByRole('link', { name: 'Erase' }).click()
  await page.locator('.going li').waitFor()
  expect(await page.locator('.going li').allTextContents()).toEqual([expect.stringContaining('Hello')])
  await page.getByRole('button', { name: 'Erase 1 memory for good' }).click()
  await page.getByText('1 memory is gone for good').waitFor()
  await page.goBack()
  await page.getByText('The graph has no context tool:from_elsewhere.').waitFor()
  await page.getByRole('link', { name: 'All contexts' }).click()
  await seen(page, 'h1', 'Contexts')
}

async function disputes(server: TestServer): Promise<number> {
  const { body } = await server.call('/v1/graphs/demo/disputes')
  return Number(body['total'])
}

const seen = (page: Page, selector: string, text: string) =>
  page.locator(selector, { hasText: text }).first().waitFor()

describeExplored('the explorer, from the first view to the last', (start) => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([start(), openBrowser()])
    await loadExplored(server)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('every view can be walked through, and what is open settled', async () => {
    const reader = await newReader(browser, server, { provokes: [404] })
    await walk(reader, server)
    await change(reader, server)
    await reader.leave()
  })
})

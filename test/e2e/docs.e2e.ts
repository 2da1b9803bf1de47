import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../scripts/proof/service.js'
import { findChromium, type Visit, visit } from '../support/chromium.js'
import { operationsOf, readOpenApi } from '../support/openapi.js'

const chromium = findChromium()
const operations = operationsOf(readOpenApi())
const tags = [...new Set(operations.map(({ object }) => object.tags?.[0] ?? ''))]

test('there is a browser to look at the documentation with', ({ skip }) => {
  if (chromium !== undefined) return
  const message =
    '/docs WAS NOT TESTED IN A BROWSER: install Chromium (apt-get install chromium-headless-shell).'
  if (process.env['CI'] === 'true') expect.fail(message)
  process.stderr.write(`\n${message}\n\n`)
  skip(message)
})

describe.runIf(chromium !== undefined)('/docs in a real browser, under its own policy', () => {
  let service: Service
  let visits: ReadonlyMap<string, Visit>
  beforeAll(async () => {
    service = await startService()
    visits = new Map(
      await Promise.all(
        tags.map(
          async (tag) =>
            [tag, await visit(chromium ?? '', `${service.url}/docs#/${tag.toLowerCase()}`)] as const,
        ),
      ),
    )
  })
  afterAll(() => service.stop())

  test.each(operations)('shows $id', ({ object }) => {
    const { text = '' } = visits.get(object.tags?.[0] ?? '') ?? {}
    expect(text.split('\n')).toContain(object.summary)
    expect(text.split('\n')).toContain('Errors')
  })

  test.each(tags)('has nothing to complain about (%s)', (tag) => {
    const messages = visits.get(tag)?.console ?? []
    // Redoc says its name and version: so the console is heard.
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('Redoc')
  })

  test.each(tags)('asks nobody but the service (%s)', (tag) => {
    const requests = visits.get(tag)?.requests ?? []
    expect(requests.map((url) => new URL(url).pathname)).toContain('/docs')
    expect(requests.filter((url) => new URL(url).origin !== service.url)).toEqual([])
  })
})

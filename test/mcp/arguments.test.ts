import { describe, expect, test } from 'vitest'
import { overDemo } from '../support/mcp-demo.js'

const demo = overDemo()

/** What each tool is asked, apart from its other arguments. */
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  recall: { query: 'Which test runner do we use?' },
  insight: { task: 'Which test runner do we use?' },
  record: { text: 'The linter is biome.' },
  browse: { type: 'decision' },
  brief: { task: 'speed up the tests' },
  forget: { context_id: 'decision:test_runner' },
}

describe.each(Object.entries(ASKED))('%s', (name, given) => {
  /** Every argument that it has, as hosts fill those that are absent. */
  const filled = async (blank: unknown) => {
    const tool = (await demo.host.tools()).find((listed) => listed.name === name)
    const all = Object.keys(tool?.inputSchema.properties ?? {}).map((key) => [key, blank])
    return { ...Object.fromEntries(all), ...given }
  }

  test.each([[null], [''], [{}]])('%j stands for what is absent', async (blank) => {
    const plain = await demo.host.call(name, given)
    expect(plain.isError, plain.text).toBe(false)
    // A second statement of the same changes the trust of the first.
    const same = await demo.host.call(name, given)
    expect(await demo.host.call(name, await filled(blank))).toEqual(same)
  })

  test('what it does not know is ignored, and said', async () => {
    const { text, isError } = await demo.host.call(name, { ...given, wait_for_previous: true, absent: null })
    expect(isError, text).toBe(false)
    expect(text).toMatch(/\nIgnored, since this tool has no such argument: "wait_for_previous"\.\n$/)
  })

  test('a wrong name is told where an argument is missing', async () => {
    const { text, isError } = await demo.host.call(name, {
      Page: 1,
      page: 'x',
      query: 5,
      task: 5,
      text: 5,
      memory_id: 5,
    })
    expect(isError).toBe(true)
    expect(text).toContain('There is no argument "Page"; known are ')
  })
})

test('null is kept inside a payload, where it means nobody', async () => {
  const payload = { task: 'The release', owner: null, note: '', more: {} }
  const { text } = await demo.host.call('record', { payload })
  const id = /mem_\w{26}/.exec(text)?.[0]
  const { body } = await demo.server.call(`/v1/memories/demo/${id}`)
  expect(body['payload'], text).toEqual(payload)
})

test('a task that is too long is cut, never refused', async () => {
  const task = `Which test runner do we use? ${'😀'.repeat(5000)}`
  expect((await demo.host.call('insight', { task })).isError).toBe(false)
})

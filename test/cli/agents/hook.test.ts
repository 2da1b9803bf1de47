import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/service/demo-graph.js'
import { agentCommand } from '../../support/agents.js'
import { temporaryFolder } from '../../support/folder.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
})
afterAll(() => server.stop())

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

const PROMPT = { session_id: 's', prompt: 'Which test runner do we use?' }

function hook(event: string, sent: unknown, env: Record<string, string> = {}, ...more: string[]) {
  const all = { HOME: home, LOREGRAPH_URL: server.url, LOREGRAPH_SECRET: server.secret, ...env }
  const input = typeof sent === 'string' ? sent : JSON.stringify(sent)
  return agentCommand(all, ['hook', event, '--graph', 'demo', ...more], input)
}

describe('a hook', () => {
  test('answers a prompt with what /hooks answers, once a session', async () => {
    const { stdout, stderr, error } = await hook('prompt', PROMPT)
    expect([stderr, error]).toEqual(['', undefined])
    const posted = await server.fetch('/hooks/demo/claude-code', {
      json: { ...PROMPT, hook_event_name: 'UserPromptSubmit' },
    })
    expect(stdout).toBe(`${await posted.text()}\n`)
    expect(JSON.parse(stdout)).toHaveProperty('hookSpecificOutput.hookEventName', 'UserPromptSubmit')
    expect((await hook('prompt', PROMPT)).stdout).toBe('')
    expect((await hook('prompt', { ...PROMPT, session_id: 't' })).stdout).toBe(stdout)
  })

  test('takes the names of the host for its events, and a mark of byte order', async () => {
    const sent = `\ufeff${JSON.stringify(PROMPT)}`
    expect((await hook('UserPromptSubmit', sent)).stdout).toContain('vitest')
    expect((await hook('userPromptSubmitted', sent, {}, '--host', 'copilot')).stdout).toMatch(
      /^\{"additionalContext":/,
    )
  })

  test('two at once tell a memory once', async () => {
    const both = await Promise.all([hook('prompt', PROMPT), hook('prompt', PROMPT)])
    const lines = both.flatMap(({ stdout }) => stdout.split('\\n').filter((line) => line.startsWith('- ')))
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.length).toBeGreaterThan(0)
  })

  test('a start, an edit, an end', async () => {
    const started = JSON.parse((await hook('start', { session_id: 's' })).stdout).hookSpecificOutput
    expect(started.additionalContext).toMatch(/^From Loregraph: .*\n## What stands/)
    expect((await hook('tool', { session_id: 's', tool_name: 'Edit' })).stdout).toBe('')
    expect(
      JSON.parse((await hook('stop', { session_id: 's', stop_hook_active: false })).stdout),
    ).toHaveProperty('decision', 'block')
  })

  test('keeps its notes in the cache folder, for the owner alone', async () => {
    await hook('prompt', PROMPT, { XDG_CACHE_HOME: join(home, 'cache') })
    expect(await readdir(join(home, 'cache/loregraph/sessions'))).toHaveLength(1)
  })

  test('LOREGRAPH_GRAPH names the graph where --graph does not', async () => {
    const env = {
      HOME: home,
      LOREGRAPH_URL: server.url,
      LOREGRAPH_SECRET: server.secret,
      LOREGRAPH_GRAPH: 'demo',
    }
    expect((await agentCommand(env, ['hook', 'prompt'], JSON.stringify(PROMPT))).stdout).toContain('vitest')
  })
})

describe('a hook that cannot do its work says so in a line, and nothing on stdout', () => {
  test.each([
    ['the service is down', { LOREGRAPH_URL: 'http://127.0.0.1:1' }, PROMPT, /cannot be reached/],
    ['the secret is wrong', { LOREGRAPH_SECRET: 'x'.repeat(40) }, PROMPT, /The secret is not known/],
    ['the event is no JSON', {}, 'x', /not JSON/],
    ['the event is empty', {}, '', /not JSON/],
  ])('%s', async (_, env, sent, why) => {
    const { stdout, error } = await hook('prompt', sent, env)
    expect(stdout).toBe('')
    expect(error?.message).toMatch(why)
    expect(error?.message).not.toContain('\n')
  })

  test('to the person when a session starts, and not again with each prompt', async () => {
    const down = { LOREGRAPH_URL: 'http://127.0.0.1:1' }
    const { stdout, error } = await hook('start', { session_id: 's' }, down)
    expect([error, JSON.parse(stdout)]).toEqual([
      undefined,
      {
        systemMessage:
          'Loregraph: http://127.0.0.1:1 cannot be reached. This session goes on without what is recorded.',
      },
    ])
    expect(await hook('prompt', PROMPT, down)).toEqual({ error: undefined, stdout: '', stderr: '' })
    const wrong = await hook('prompt', PROMPT, { LOREGRAPH_SECRET: 'x'.repeat(40) })
    expect(wrong.error?.message).toMatch(/not known/)
    expect((await hook('prompt', PROMPT)).stdout).toContain('vitest')
  })

  test('another graph, another event, another host', async () => {
    expect((await hook('prompt', PROMPT, {}, '--host', 'emacs')).error?.message).toMatch(
      /--host must be one of/,
    )
    expect((await hook('prompts', PROMPT)).error?.message).toMatch(
      /hook is for start, prompt, tool, stop, subagent-stop, compact, end/,
    )
    expect((await hook('prompt', PROMPT, {}, '--graph', 'x')).error?.message).toMatch(/one --graph/)
  })

  test('the notes cannot be kept: nothing is told, rather than told again and again', async () => {
    await mkdir(join(home, '.cache'))
    await writeFile(join(home, '.cache/loregraph'), 'a file')
    const { stdout, error } = await hook('prompt', PROMPT)
    expect(stdout).toBe('')
    expect(error?.message).toMatch(/cannot be noted in .*\(ENOTDIR\)/)
  })

  test('a service that is slow is given two seconds', async () => {
    const slow = createServer(() => {})
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const { port } = slow.address() as AddressInfo
    const started = performance.now()
    const { stdout, error } = await hook('prompt', PROMPT, { LOREGRAPH_URL: `http://127.0.0.1:${port}` })
    expect(performance.now() - started).toBeLessThan(4000)
    expect([stdout, error?.message]).toEqual(['', expect.stringContaining('within 2 seconds')])
    slow.closeAllConnections()
    slow.close()
  })
})

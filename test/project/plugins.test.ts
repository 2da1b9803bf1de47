import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifests } from '../../scripts/manifests.js'
import { readArgs } from '../../src/cli/args.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { readHookEvent } from '../../src/domain/hooks/event.js'
import { eventNames, HOOK_KINDS } from '../../src/domain/hooks/hosts.js'
import { LINK_FIELDS } from '../../src/domain/links.js'
import { EVENT_KINDS } from '../../src/domain/model.js'

const ROOT = new URL('../../', import.meta.url)
const PLUGIN = 'plugins/claude-code'
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const files = readdirSync(new URL('plugins/', ROOT), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(fileURLToPath(ROOT), join(entry.parentPath, entry.name)))
const skills = files.filter((file) => file.endsWith('SKILL.md'))

/** The tools of `loregraph mcp` and their arguments that the texts speak of. */
const TOOLS = ['recall', 'insight', 'record', 'browse', 'brief']
const ARGUMENTS = ['context_id', 'event_kind', 'text', ...Object.values(LINK_FIELDS)]
/** Served by the same program, over stdio. */
const SERVER = 'mcp'

/** A command line as the shell would hand it over, variables at their defaults. */
const wordsOf = (command: string) =>
  (command.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replace(/^"|"$/g, '').replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  )

describe('the kit', () => {
  test('holds a plugin with two skills, and a block for AGENTS.md; nothing else', () =>
    expect([...files].sort()).toEqual([
      'plugins/AGENTS.md',
      `${PLUGIN}/.claude-plugin/plugin.json`,
      `${PLUGIN}/.mcp.json`,
      `${PLUGIN}/hooks/hooks.json`,
      `${PLUGIN}/skills/ask-before-you-start/SKILL.md`,
      `${PLUGIN}/skills/record-what-you-learned/SKILL.md`,
    ]))

  test('is a part of the package, and has its version', () => {
    const { files: shipped, version } = JSON.parse(read('package.json'))
    expect(shipped).toContain('plugins')
    expect(JSON.parse(read(`${PLUGIN}/.claude-plugin/plugin.json`))).toMatchObject({
      name: 'loregraph',
      version,
    })
  })

  test('its hooks are for events that there are, and call commands that there are', () => {
    const { hooks } = JSON.parse(read(`${PLUGIN}/hooks/hooks.json`))
    expect(Object.keys(hooks)).toEqual(HOOK_KINDS.flatMap((kind) => eventNames('claude-code', kind)))
    for (const [event, groups] of Object.entries<Group[]>(hooks))
      for (const { command, type } of groups.flatMap((group) => group.hooks)) {
        const [program, ...args] = wordsOf(command)
        expect([type, program]).toEqual(['command', 'loregraph'])
        const asked = readArgs(args)
        expect(asked).toMatchObject({ command: 'hook', values: { host: 'claude-code', graph: ['demo'] } })
        const called = asked.asks === 'command' ? asked.operands[0] : ''
        expect(eventNames('claude-code', readHookEvent('claude-code', {}, called)?.kind ?? 'tool')).toEqual([
          event,
        ])
      }
  })

  test('the tools that its hooks wait for are those that an event is read for', () => {
    const { hooks } = JSON.parse(read(`${PLUGIN}/hooks/hooks.json`))
    const matcher = new RegExp(`^(?:${hooks.PostToolUse[0].matcher})$`)
    for (const tool_name of [
      'Edit',
      'Write',
      'MultiEdit',
      'NotebookEdit',
      'mcp__plugin_loregraph_loregraph__record',
    ]) {
      const event = readHookEvent('claude-code', { tool_name }, 'tool')
      expect([tool_name, matcher.test(tool_name), event?.changedFiles || event?.recorded]).toEqual([
        tool_name,
        true,
        true,
      ])
    }
    expect(matcher.test('Read')).toBe(false)
  })

  test('its server is ours', () => {
    const { loregraph } = JSON.parse(read(`${PLUGIN}/.mcp.json`)).mcpServers
    expect([loregraph.command, loregraph.args[0]]).toEqual(['loregraph', SERVER])
    expect(Object.keys(loregraph.env)).toEqual(['LOREGRAPH_SECRET'])
  })

  test.each(skills)('%s says what it is called and when to use it', (file) => {
    const [, head = '', body = ''] = read(file).split(/^---$/m)
    const { name, description } = parse(head)
    expect(file).toContain(`/${name}/`)
    expect(description).toMatch(/^Use (before|when) /)
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(body.length).toBeGreaterThan(200)
  })

  test.each([...skills, 'plugins/AGENTS.md'])(
    '%s names only tools, arguments and kinds that there are',
    (file) => {
      const named = [...read(file).matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word)
      const known = [...TOOLS, ...ARGUMENTS, ...EVENT_KINDS, ...COMMANDS.map(({ name }) => name), 'loregraph']
      expect(named.filter((word) => !known.includes(word) && !/^\w+:\w+$/.test(word))).toEqual([])
      expect(named.length).toBeGreaterThan(2)
    },
  )

  test('the block for AGENTS.md has at most 12 lines', () =>
    expect(read('plugins/AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(12))
})

describe('what registries and hosts read', () => {
  test('follows from package.json', async () => {
    for (const [path, text] of await manifests(ROOT)) expect(read(path), path).toBe(text)
  })

  test('the marketplace has the plugin, in a folder that is there, at the version of the package', () => {
    const { name, owner, plugins } = JSON.parse(read('.claude-plugin/marketplace.json'))
    const { version, files: shipped } = JSON.parse(read('package.json'))
    expect([name, owner.name, plugins.length]).toEqual(['loregraph', 'Loregraph', 1])
    const [{ source, ...plugin }] = plugins
    expect(plugin).toMatchObject({ name: 'loregraph', version })
    expect(JSON.parse(read(`${source}/.claude-plugin/plugin.json`))).toMatchObject(plugin)
    expect(shipped).toContain('.claude-plugin')
  })

  test('server.json keeps to the limits of the registry, and its line is one that the program takes', () => {
    const server = JSON.parse(read('server.json'))
    const { mcpName, name, version } = JSON.parse(read('package.json'))
    expect(server).toMatchObject({ name: mcpName, version })
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(server.description.length).toBeLessThanOrEqual(100)
    const [{ packageArguments, environmentVariables, ...stated }, ...others] = server.packages
    expect(others).toEqual([])
    expect(stated).toMatchObject({
      registryType: 'npm',
      identifier: name,
      version,
      transport: { type: 'stdio' },
    })
    expect(environmentVariables).toMatchObject([{ name: 'LOREGRAPH_SECRET', isSecret: true }])
    const words = packageArguments.flatMap((it: Record<string, string>) =>
      it['type'] === 'positional' ? [it['value']] : [it['name'], it['default'] ?? it['placeholder']],
    )
    expect(readArgs(words)).toMatchObject({ command: SERVER, values: { graph: ['demo'] } })
  })
})

interface Group {
  readonly hooks: readonly { readonly type: string; readonly command: string }[]
}

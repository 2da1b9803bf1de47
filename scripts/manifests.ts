import { readFile } from 'node:fs/promises'

const PLUGIN = 'plugins/claude-code/.claude-plugin/plugin.json'
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** The registry takes at most 100 characters. */
const DESCRIPTION =
  'What AI agents learn, with reasons and contradictions kept; cited answers without a model'

interface Package {
  readonly name: string
  readonly mcpName: string
  readonly version: string
  readonly license: string
}

/** The files by which registries and hosts find this version, by path. */
export async function manifests(root: URL): Promise<Map<string, string>> {
  const read = (path: string) => readFile(new URL(path, root), 'utf8')
  const { name, mcpName, version, license } = JSON.parse(await read('package.json')) as Package
  const plugin = (await read(PLUGIN)).replace(/("version": )"[^"]*"/, `$1"${version}"`)
  const { description } = JSON.parse(plugin) as { readonly description: string }
  const marketplace = {
    name,
    owner: { name: 'Loregraph' },
    metadata: { description: 'The plugin of Loregraph for Claude Code' },
    plugins: [{ name, source: './plugins/claude-code', description, version, license }],
  }
  return new Map([
    [PLUGIN, plugin],
    ['.claude-plugin/marketplace.json', toJson(marketplace)],
    ['server.json', toJson(serverOf(name, mcpName, version))],
  ])
}

function serverOf(identifier: string, name: string, version: string) {
  const argument = (flag: string, description: string, more: object) => ({
    type: 'named',
    name: flag,
    description,
    ...more,
  })
  return {
    $schema: SCHEMA,
    name,
    title: 'Loregraph',
    description: DESCRIPTION,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          argument('--graph', 'The graph to work in', { isRequired: true, placeholder: 'demo' }),
          argument('--url', 'The address of the service', { default: 'http://127.0.0.1:7400' }),
        ],
        environmentVariables: [
          {
            name: 'LOREGRAPH_SECRET',
            description: 'The secret of a key that reaches the graph',
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

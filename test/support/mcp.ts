import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { commandOf } from './program.js'

/** The clients that people have: the newest one in each of its ways to agree on a version, and the one before it. */
export const CLIENTS = ['v2, legacy', 'v2, auto', 'v2, 2026-07-28', 'v1'] as const
export type ClientKind = (typeof CLIENTS)[number]

export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly data: Readonly<Record<string, unknown>> | undefined
}

export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: { readonly properties?: Record<string, unknown> | undefined }
}

/** What a host does with a server. */
export interface Host {
  tools(): Promise<readonly ListedTool[]>
  call(name: string, given?: Record<string, unknown>): Promise<Called>
  readonly client: Client
  close(): Promise<void>
}

/** A host that asks over HTTP. */
export function overHttp(url: string, secret: string, kind: ClientKind = 'v2, auto'): Promise<Host> {
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } }
  if (kind === 'v1') return hostV1(new HttpV1(new URL(url), { requestInit }))
  return host(new StreamableHTTPClientTransport(new URL(url), { requestInit }), kind)
}

/** A host that starts the program. */
export function overStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  kind: ClientKind = 'v2, auto',
): Promise<Host> {
  const [command = '', ...first] = commandOf()
  const started = { command, args: [...first, 'mcp', ...args], env: { ...env }, stderr: 'ignore' as const }
  return kind === 'v1' ? hostV1(new StdioV1(started)) : host(new StdioClientTransport(started), kind)
}

const MODES = {
  'v2, legacy': 'legacy',
  'v2, auto': 'auto',
  'v2, 2026-07-28': { pin: '2026-07-28' },
} as const

type Transport = Parameters<Client['connect']>[0]

async function host(transport: Transport, kind: Exclude<ClientKind, 'v1'>): Promise<Host> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: MODES[kind] } })
  await client.connect(transport)
  return asHost(client)
}

async function hostV1(transport: Parameters<ClientV1['connect']>[0]): Promise<Host> {
  const client = new ClientV1({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  // What the tests use of the two clients is called the same.
  return asHost(client as unknown as Client)
}

function asHost(client: Client): Host {
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    async call(name, given = {}) {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: given })
      const texts = (content ?? []).map((part) => {
        if (part.type !== 'text') throw new Error(`A part of type ${part.type}.`)
        return part.text
      })
      return {
        text: texts.join('\n'),
        isError: isError === true,
        data: structuredContent as Called['data'],
      }
    },
    close: () => client.close(),
  }
}

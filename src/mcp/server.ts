import {
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { ContractDocument } from '../contract/contract.js'
import { Failure } from '../domain/failure.js'
import { contextId } from '../domain/names.js'
import { type ToolName, toolsOf } from './catalogue.js'
import { checkingArguments } from './check-arguments.js'
import { instructions } from './instructions.js'
import { fromContract } from './schemas.js'
import { type Asking, dataOf, Refused } from './tools/asking.js'
import { type BrowseArguments, browse } from './tools/browse.js'
import { contextText } from './tools/context-text.js'
import { type ForgetArguments, forget } from './tools/forget.js'
import { type InsightArguments, insight } from './tools/insight.js'
import { type RecallArguments, recall } from './tools/recall.js'
import { type RecordArguments, record } from './tools/record.js'

/** What the connection may do, as far as that is known; the service has the last word. */
export interface Allowed {
  readonly record: boolean
  readonly erase: boolean
}

/** The lists of a connection never change. */
const FIXED = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
}

/** Makes a server for one connection (stdio) or one request (HTTP). */
export type MakeServer = (asking: Asking, allowed: Allowed, failed: (error: unknown) => void) => McpServer

/** Schemas are compiled once, for all servers. */
export function serverMaker(document: ContractDocument): MakeServer {
  const tools = toolsOf(document)
  const accept = <T>(name: ToolName) => fromJsonSchema<T>(toSchema(tools[name].schema), checkingArguments)
  const accepts = {
    recall: accept<RecallArguments>('recall'),
    insight: accept<InsightArguments>('insight'),
    record: accept<RecordArguments>('record'),
    browse: accept<BrowseArguments>('browse'),
    forget: accept<ForgetArguments>('forget'),
  }
  const task = fromContract(document, { $ref: '#/components/schemas/TaskText' }, 'What is to be done.')
  const briefed = fromJsonSchema<{ task?: string }>(toSchema({ type: 'object', properties: { task } }))
  const version = document.info?.version ?? '0'
  return (asking, allowed, failed) => {
    const server = new McpServer(
      { name: 'loregraph', version },
      { instructions: instructions(allowed.record), capabilities: FIXED },
    )
    const told = (text: Promise<string>) => text.then(asText, (error) => asError(error, failed))
    const about = (name: ToolName) => ({
      description: tools[name].description,
      annotations: tools[name].annotations,
    })
    server.registerTool('recall', { ...about('recall'), inputSchema: accepts.recall }, (given) =>
      told(recall(asking, given)),
    )
    server.registerTool('insight', { ...about('insight'), inputSchema: accepts.insight }, (given) =>
      told(insight(asking, given)),
    )
    if (allowed.record)
      server.registerTool('record', { ...about('record'), inputSchema: accepts.record }, (given) =>
        told(record(asking, given)),
      )
    server.registerTool('browse', { ...about('browse'), inputSchema: accepts.browse }, (given) =>
      told(browse(asking, given)),
    )
    if (allowed.erase)
      server.registerTool('forget', { ...about('forget'), inputSchema: accepts.forget }, (given) =>
        told(forget(asking, given)),
      )
    server.registerResource(
      'context',
      new ResourceTemplate('loregraph://{graph}/{type}/{name}', { list: undefined }),
      { description: 'A context: its latest memories and its links.', mimeType: 'text/markdown' },
      async (uri, { graph, type, name }) => {
        if (decoded(graph) !== (await asking.graph())) throw new ResourceNotFoundError(uri.href)
        const text = await contextText(asking, contextId(decoded(type), decoded(name))).catch(
          (error: unknown) => {
            if (error instanceof Failure || (error instanceof Refused && error.status === 404))
              throw new ResourceNotFoundError(uri.href, error.message)
            throw error
          },
        )
        return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
      },
    )
    server.registerPrompt(
      'brief',
      {
        description:
          'What to know before starting work: decisions, disputes, what is stale; for a task if one is given.',
        argsSchema: briefed,
      },
      async (query) => {
        const { client, graph } = asking
        const path = { graph_id: await graph() }
        const { brief } = await dataOf(client.GET('/v1/graphs/{graph_id}/brief', { params: { path, query } }))
        return { messages: [{ role: 'user', content: { type: 'text', text: brief } }] }
      },
    )
    return server
  }
}

function toSchema(schema: object): JsonSchemaType {
  // A boundary: their type wants mutable lists.
  return schema as JsonSchemaType
}

function asText(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}

function asError(error: unknown, failed: (error: unknown) => void) {
  const isKnown = error instanceof Refused || error instanceof Failure
  if (!isKnown) failed(error)
  const text = isKnown ? error.message : 'Something went wrong inside Loregraph. Go on without it.'
  return { ...asText(text), isError: true }
}

function decoded(part: string | readonly string[] | undefined): string {
  return decodeURIComponent(String(part ?? ''))
}

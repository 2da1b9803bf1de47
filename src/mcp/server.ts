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
import { type Accepted, checkingArguments, ignoring } from './check-arguments.js'
import { instructions } from './instructions.js'
import { fromContract } from './schemas.js'
import { type Asking, dataOf, Refused } from './tools/asking.js'
import { browse } from './tools/browse.js'
import { contextText } from './tools/context-text.js'
import { forget } from './tools/forget.js'
import { insight } from './tools/insight.js'
import { recall } from './tools/recall.js'
import { record } from './tools/record.js'

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

/** What comes in was checked against the schema of the tool. */
const RUN: { readonly [Name in ToolName]: (asking: Asking, given: never) => Promise<string> } = {
  recall,
  insight,
  record,
  browse,
  forget,
}

/** Schemas are compiled once, for all servers. */
export function serverMaker(document: ContractDocument): MakeServer {
  const tools = toolsOf(document)
  const listed = namesOf(tools).map((name) => {
    const { schema, ...about } = tools[name]
    return [
      name,
      { ...about, schema: fromJsonSchema<Accepted<never>>(toSchema(schema), checkingArguments) },
    ] as const
  })
  const task = fromContract(document, { $ref: '#/components/schemas/TaskText' }, 'What is to be done.')
  const briefed = fromJsonSchema<{ task?: string }>(toSchema({ type: 'object', properties: { task } }))
  const version = document.info?.version ?? '0'
  return (asking, allowed, failed) => {
    const server = new McpServer(
      { name: 'loregraph', version },
      { instructions: instructions(allowed.record), capabilities: FIXED },
    )
    const told = (text: Promise<string>, ignored: readonly string[]) =>
      text.then(
        (answer) => asText(ignored.length === 0 ? answer : answer + ignoring(ignored)),
        (error) => asError(error, failed),
      )
    for (const [name, { description, annotations, schema }] of listed) {
      if (!isOffered(name, allowed)) continue
      server.registerTool(name, { description, annotations, inputSchema: schema }, ({ given, ignored }) =>
        told(RUN[name](asking, given), ignored),
      )
    }
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

function namesOf(tools: Readonly<Record<ToolName, unknown>>): ToolName[] {
  // A boundary: the names of keys are strings to the compiler.
  return Object.keys(tools) as ToolName[]
}

function isOffered(name: ToolName, { record, erase }: Allowed): boolean {
  return name === 'record' ? record : name === 'forget' ? erase : true
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

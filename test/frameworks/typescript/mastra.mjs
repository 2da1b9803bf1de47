/** Mastra, which makes a schema of zod of each that is listed. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const { MCP_URL, MODEL_URL, SECRET, CASES } = process.env
const requestInit = { headers: { Authorization: `Bearer ${SECRET}` } }
const client = new MCPClient({ servers: { loregraph: { url: new URL(MCP_URL), requestInit } } })
const tools = await client.listTools()
const model = createOpenAI({ baseURL: MODEL_URL, apiKey: 'stand-in' }).chat('gpt-5')
const agent = new Agent({ id: 'agent', name: 'agent', instructions: 'Do it.', model, tools })
for (let number = 0; number < Number(CASES); number++) await agent.generate(`case ${number}`)
await client.disconnect()

/** AI SDK. */
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs } from 'ai'

const { MCP_URL, MODEL_URL, SECRET, CASES } = process.env
const headers = { Authorization: `Bearer ${SECRET}` }
const client = await createMCPClient({ transport: { type: 'http', url: MCP_URL, headers } })
const tools = await client.tools()
const model = createOpenAI({ baseURL: MODEL_URL, apiKey: 'stand-in' }).chat('gpt-5')
for (let number = 0; number < Number(CASES); number++)
  await generateText({ model, tools, prompt: `case ${number}`, stopWhen: stepCountIs(3) })
await client.close()

"""pydantic-ai, with its schemas as they are fitted to the models of OpenAI."""

import asyncio

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from settings import CASES, HEADERS, MCP_URL, MODEL_URL


async def main() -> None:
    model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(base_url=MODEL_URL, api_key="stand-in"))
    agent = Agent(model, toolsets=[MCPToolset(MCP_URL, headers=HEADERS)])
    async with agent:
        for case in CASES:
            await agent.run(case)


asyncio.run(main())

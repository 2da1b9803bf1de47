"""openai-agents, with its schemas made strict."""

import asyncio

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI
from settings import CASES, HEADERS, MCP_URL, MODEL_URL


async def main() -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=MODEL_URL, api_key="stand-in")
    params = {"url": MCP_URL, "headers": HEADERS}
    async with MCPServerStreamableHttp(params, cache_tools_list=True) as server:
        agent = Agent(
            name="agent",
            model=OpenAIChatCompletionsModel("gpt-5", client),
            mcp_servers=[server],
            mcp_config={"convert_schemas_to_strict": True},
        )
        for case in CASES:
            await Runner.run(agent, case)


asyncio.run(main())

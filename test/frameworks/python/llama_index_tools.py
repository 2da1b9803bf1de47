"""LlamaIndex, whose tools have a model of pydantic made of each schema."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from settings import CASES, HEADERS, MCP_URL, MODEL_URL


async def main() -> None:
    client = BasicMCPClient(MCP_URL, headers=HEADERS)
    tools = await McpToolSpec(client).to_tool_list_async()
    model = OpenAILike(
        model="gpt-5",
        api_base=MODEL_URL,
        api_key="stand-in",
        is_chat_model=True,
        is_function_calling_model=True,
    )
    for case in CASES:
        await FunctionAgent(tools=tools, llm=model, streaming=False).run(case)


asyncio.run(main())

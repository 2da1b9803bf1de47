"""langchain-mcp-adapters, its tools bound to a model of OpenAI in strict mode."""

import asyncio

from langchain_core.messages import HumanMessage
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from settings import CASES, HEADERS, MCP_URL, MODEL_URL


async def main() -> None:
    server = {"transport": "streamable_http", "url": MCP_URL, "headers": HEADERS}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"loregraph": server}).get_tools()}
    model = ChatOpenAI(model="gpt-5", base_url=MODEL_URL, api_key="stand-in")
    strict = model.bind_tools(list(tools.values()), strict=True)
    for case in CASES:
        asked = [HumanMessage(case)]
        answer = await strict.ainvoke(asked)
        results = [await tools[call["name"]].ainvoke(call) for call in answer.tool_calls]
        await strict.ainvoke([*asked, answer, *results])


asyncio.run(main())

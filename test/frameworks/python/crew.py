"""CrewAI, whose tools fill each optional argument with None."""

from crewai import LLM, Agent
from crewai_tools import MCPServerAdapter
from settings import CASES, HEADERS, MCP_URL, MODEL_URL

server = {"url": MCP_URL, "transport": "streamable-http", "headers": HEADERS}
with MCPServerAdapter(server) as tools:
    model = LLM(model="openai/gpt-4o", base_url=MODEL_URL, api_key="stand-in")
    for case in CASES:
        agent = Agent(role="agent", goal="Do it.", backstory="None.", tools=tools, llm=model)
        agent.kickoff(case)

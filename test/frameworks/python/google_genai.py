"""google-genai, which takes a session of MCP as a tool and calls it by itself."""

import asyncio

import httpx2
from google import genai
from google.genai import types
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from settings import CASES, HEADERS, MCP_URL, MODEL_URL


async def main() -> None:
    client = genai.Client(api_key="stand-in", http_options=types.HttpOptions(base_url=MODEL_URL))
    http = httpx2.AsyncClient(headers=HEADERS)
    async with streamable_http_client(MCP_URL, http_client=http) as (read, write, *_):
        async with ClientSession(read, write) as session:
            await session.initialize()
            # A dictionary: a GenerateContentConfig would be copied with the session in it, which fails.
            config = {"tools": [session]}
            for case in CASES:
                await client.aio.models.generate_content(
                    model="gemini-3-pro", contents=case, config=config
                )


asyncio.run(main())

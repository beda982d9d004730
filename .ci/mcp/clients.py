"""Lists and calls every tool on both endpoints with the official Python client.

The client checks the structured content of each answer against the output schema. Argument: the server's origin.
FAMILY_API_TOKEN: a key of mode v1_full.
"""

import asyncio
import json
import os
import pathlib
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

CALLS = (pathlib.Path(__file__).parent / "calls.json").read_text()
HEADERS = {"Authorization": f"Bearer {os.environ['FAMILY_API_TOKEN']}"}
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


def calls_of(path, mode):
    calls = json.loads(CALLS.replace("{note}", f"note-of-python-{mode}").replace("{client}", f"python-{mode}"))
    return [call for call in calls if path == "/api/v1/mcp" or not call.get("writes")]


def check(condition, *described):
    if not condition:
        raise AssertionError(described)


async def run(url, path, mode):
    async with httpx2.AsyncClient(headers=HEADERS) as http:
        async with Client(streamable_http_client(url + path, http_client=http), mode=mode) as client:
            check(client.protocol_version == VERSIONS[mode], client.protocol_version)
            tools = (await client.list_tools()).tools
            calls = calls_of(path, mode)
            check({tool.name for tool in tools} == {call["tool"] for call in calls}, tools)
            check(all(tool.output_schema for tool in tools), tools)
            for call in calls:
                answer = await client.call_tool(call["tool"], call["arguments"])
                fails = call.get("fails", False)
                check(bool(answer.is_error) == fails, call, answer)
                check(any(part.type == "text" and part.text for part in answer.content), call, answer)
                check(fails or answer.structured_content, call, answer)
    print(f"python-{mode}, {path}: {len(tools)} tools, {len(calls)} calls")


async def main():
    for path in ("/api/v1/mcp", "/api/mcp"):
        for mode in VERSIONS:
            await run(sys.argv[1], path, mode)


asyncio.run(main())

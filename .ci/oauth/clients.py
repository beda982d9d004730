"""Connects the official Python client from the URL of an endpoint alone, as clients.mjs does.

Arguments: the command that answers in a browser, and the origins of the nodes.
FAMILY_API_DATABASE: their database. FAMILY_API_DOCUMENTS: the site with metadata documents, for clients that do not
register.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

FOLDER = pathlib.Path(__file__).parent
CALLS = (FOLDER.parent / "calls.json").read_text()
BROWSER = sys.argv[1].split()
NODES = sys.argv[2:]
DOCUMENTS = os.environ.get("FAMILY_API_DOCUMENTS")
OLENA = "olena@kovalenko.example"
CONNECTIONS = (
    {"name": "python-auto", "mode": "auto", "path": "/api/v1/mcp", "writes": True},
    {"name": "python-legacy", "mode": "legacy", "path": "/api/mcp", "writes": False},
)


def check(condition, *described):
    if not condition:
        raise AssertionError(described)


class Storage:
    """Keeps the client and its tokens in memory."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Callback:
    """The redirect address of an installed client: a server on a free loopback port."""

    async def __aenter__(self):
        self.arrived = asyncio.Queue()
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/callback"
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        request = (await reader.readline()).decode().split()
        if request and request[1].startswith("/callback?"):
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(request[1]).query, strict_parsing=True)
            self.arrived.put_nowait({name: value for name, [value] in query.items()})
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nConnected")
        await writer.drain()
        writer.close()

    async def answer(self):
        answer = await asyncio.wait_for(self.arrived.get(), 10)
        return AuthorizationCodeResult(**answer)


class Browser:
    """Opens the consent page, and counts how often. The first answer has the access, if it is given."""

    questions = 0

    def __init__(self, client, access=None):
        self.client = client
        self.access = access

    async def ask(self, url):
        self.questions += 1
        answer = {"client": self.client} | ({"access": self.access} if self.access else {})
        self.access = None
        process = await asyncio.create_subprocess_exec(*BROWSER, url, json.dumps(answer))
        check(await process.wait() == 0, url)


def calls_of(name):
    return CALLS.replace("{note}", f"note-of-{name}").replace("{client}", name)


async def call_allowed_tools(client, name, writes):
    calls = [call for call in json.loads(calls_of(name)) if writes or not call.get("writes")]
    tools = (await client.list_tools()).tools
    check({tool.name for tool in tools} == {call["tool"] for call in calls}, tools)
    for call in calls:
        answer = await client.call_tool(call["tool"], call["arguments"])
        check(bool(answer.is_error) == call.get("fails", False), call, answer)
    return f"{len(tools)} tools, {len(calls)} calls"


async def refresh(client, provider, storage, browser):
    """Refreshes the access token after it expired. The client decides by its own clock, which is set forward."""
    before = storage.tokens
    subprocess.run([FOLDER / "expire", os.environ["FAMILY_API_DATABASE"]], check=True)
    provider.context.token_expiry_time = time.time() - 1
    await client.call_tool("get_overview", {})
    check(storage.tokens.access_token != before.access_token)
    check(storage.tokens.refresh_token != before.refresh_token)
    check(browser.questions == 1, browser.questions)


async def end_connections(name):
    """Ends the connections of a client as the user does. Returns their number."""
    async with httpx2.AsyncClient(base_url=NODES[0]) as session:
        (await session.post("/login", json={"email": OLENA, "password": "correct-horse"})).raise_for_status()
        connections = (await session.get("/api/users/me/connections")).json()["connections"]
        ended = [connection["id"] for connection in connections if connection["client"] == name]
        for connection in ended:
            (await session.delete(f"/api/users/me/connections/{connection}")).raise_for_status()
    return len(ended)


async def revoke(name, path, access_token):
    """Ends the connection. All nodes refuse the access token at once."""
    for node in NODES:
        check(await status(node + path, access_token) == 200, node)
    check(await end_connections(name) == 1)
    for node in NODES:
        check(await status(node + path, access_token) == 401, node)


async def status(url, access_token):
    headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(headers=headers) as http:
        return (await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).status_code


@contextlib.asynccontextmanager
async def connected(name, mode, path, browser, storage):
    """Connects, and yields the client and its provider."""
    async with Callback() as callback:
        provider = OAuthClientProvider(
            server_url=NODES[0] + path,
            client_metadata=OAuthClientMetadata(
                client_name=name, redirect_uris=[callback.url], token_endpoint_auth_method="none"
            ),
            storage=storage,
            redirect_handler=browser.ask,
            callback_handler=callback.answer,
            client_metadata_url=f"{DOCUMENTS}/{name}.json" if DOCUMENTS else None,
        )
        async with httpx2.AsyncClient(auth=provider, timeout=60) as http:
            async with Client(streamable_http_client(NODES[0] + path, http_client=http), mode=mode) as client:
                check((storage.client.client_id == f"{DOCUMENTS}/{name}.json") == bool(DOCUMENTS), storage.client)
                yield client, provider


async def run(name, mode, path, writes):
    browser, storage = Browser(name), Storage()
    async with connected(name, mode, path, browser, storage) as (client, provider):
        called = await call_allowed_tools(client, name, writes)
        await refresh(client, provider, storage, browser)
        await revoke(name, path, storage.tokens.access_token)
    print(f"{name}, {path}: {called}, refreshed, revoked on {len(NODES)} nodes")


async def step_up(name, mode):
    """The client asks the user for the scope of a tool that the user withheld, and again for all that it asked before."""
    browser, storage = Browser(name, access="Read only"), Storage()
    async with connected(name, mode, "/api/v1/mcp", browser, storage) as (client, _):
        check(storage.tokens.scope == "v1.read", storage.tokens.scope)
        answer = await client.call_tool("update_tasks", {"ids": ["shelf"], "title": "Changed"})
        check(not answer.is_error, answer)
        check("v1.tasks.write" in storage.tokens.scope.split(), storage.tokens.scope)
        check(browser.questions == 2, browser.questions)
        check(await end_connections(name) == 2)
    print(f"{name}: asked again when a tool needed another scope")


async def main():
    for connection in CONNECTIONS:
        await run(**connection)
    for connection in CONNECTIONS:
        await step_up(connection["name"], connection["mode"])


asyncio.run(main())

"""A process with the official Python client, for refreshes.mjs. Reads the same commands as refreshing.mjs."""

import asyncio
import contextlib
import json
import os
import pathlib
import random
import sys
import time

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

ATTEMPTS = 5


class AsksUser(Exception):
    """The client opens the browser. The user does not answer."""


class FileStorage:
    """Keeps the client and its tokens in a file that another process may share."""

    def __init__(self, file):
        self.file = pathlib.Path(file)

    def load(self):
        return json.loads(self.file.read_text())

    def save(self, **changes):
        own = self.file.with_suffix(f".{os.getpid()}")
        own.write_text(json.dumps(self.load() | changes))
        own.replace(self.file)

    async def get_tokens(self):
        return OAuthToken.model_validate(self.load()["tokens"])

    async def set_tokens(self, tokens):
        self.save(tokens=tokens.model_dump(mode="json", exclude_none=True))

    async def get_client_info(self):
        return OAuthClientInformationFull.model_validate(self.load()["client"])

    async def set_client_info(self, client):
        self.save(client=client.model_dump(mode="json", exclude_none=True))


class Connection:
    """A client that is connected in a task of its own, because its transport must be closed where it was opened."""

    def __init__(self, name, url, file):
        self.url = url
        self.asked = 0
        self.task = None
        self.opening = asyncio.Lock()
        self.provider = OAuthClientProvider(
            server_url=url,
            client_metadata=OAuthClientMetadata(client_name=name, redirect_uris=["http://127.0.0.1/callback"]),
            storage=FileStorage(file),
            redirect_handler=self.ask,
            callback_handler=self.ask,
        )

    async def ask(self, *_):
        self.asked += 1
        raise AsksUser

    async def open(self):
        """Connects, unless the client is connected. A lost answer closes the client, but not the provider's tokens."""
        async with self.opening:
            if self.task and not self.task.done():
                return
            self.closing, ready = asyncio.Event(), asyncio.get_running_loop().create_future()
            self.task = asyncio.create_task(self.serve(ready))
            await ready

    async def serve(self, ready):
        try:
            async with httpx2.AsyncClient(auth=self.provider, timeout=60) as http:
                async with Client(streamable_http_client(self.url, http_client=http)) as self.client:
                    ready.set_result(None)
                    await self.closing.wait()
        except Exception as error:
            if not ready.done():
                ready.set_exception(error)

    async def close(self):
        self.closing.set()
        await self.task

    async def call(self):
        """Calls the tool, and returns the errors of the attempts that failed."""
        errors = []
        while len(errors) < ATTEMPTS:
            try:
                await self.open()
                await asyncio.wait_for(self.client.call_tool("get_overview", {}), 20)
                return errors
            except Exception as error:
                errors.append(repr(error))
                await asyncio.sleep(0.2)
        return errors

    async def call_within(self, count, window):
        """Calls at random within the window. The client refreshes by its own clock, which is set forward."""
        self.asked = 0
        self.provider.context.token_expiry_time = time.time() - 1

        async def call_at_random():
            await asyncio.sleep(random.random() * window / 1_000)
            return await self.call()

        calls = await asyncio.gather(*(call_at_random() for _ in range(count)))
        errors = [error for errors in calls for error in errors]
        return {"errors": errors, "succeeded": all(len(errors) < ATTEMPTS for errors in calls), "asked": self.asked}


connected = {}


async def connect(name, url, file):
    if name in connected:
        await connected[name].close()
    connected[name] = Connection(name, url, file)
    await connected[name].open()


async def run(command):
    if "connect" in command:
        await asyncio.gather(*(connect(**connection) for connection in command["connect"]))
        return None
    windows = command["windows"].items()
    results = await asyncio.gather(*(connected[name].call_within(command["call"], window) for name, window in windows))
    return dict(zip(command["windows"], results))


async def main():
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await run(json.loads(line))), flush=True)
    with contextlib.suppress(Exception):
        await asyncio.gather(*(connection.close() for connection in connected.values()))


asyncio.run(main())

// Lists and calls every tool on both endpoints with the official TypeScript clients. The clients check the structured
// content of each answer against the output schema. Arguments: the server's origin. FAMILY_API_TOKEN: a key of mode
// v1_full.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { checkAnswer, checkTools, callsOf } from './expected.mjs';

const origin = process.argv[2];
const requestInit = { headers: { Authorization: `Bearer ${process.env.FAMILY_API_TOKEN}` } };
const info = { name: 'family-api-checks', version: '1' };
const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url)));

const clients = {
    'client-2025-11-25': {
        client: () => new Client(info),
        transport: url => new StreamableHTTPClientTransport(url, { requestInit }),
    },
    'client-2026-07-28': {
        client: () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        transport: url => new StreamableHTTPClientTransport(url, { requestInit }),
    },
    'sdk-1': {
        client: () => new FirstClient(info),
        transport: url => new FirstTransport(url, { requestInit }),
    },
};

async function run(name, path) {
    const client = clients[name].client();
    await client.connect(clients[name].transport(new URL(path, origin)));
    const { tools } = await client.listTools();
    const wanted = callsOf(calls, path, name);
    checkTools(tools, wanted);
    for (const call of wanted) {
        checkAnswer(call, await client.callTool({ name: call.tool, arguments: call.arguments }));
    }
    await client.close();
    console.log(`${name}, ${path}: ${tools.length} tools, ${wanted.length} calls`);
}

for (const path of ['/api/v1/mcp', '/api/mcp']) {
    for (const name of Object.keys(clients)) {
        await run(name, path);
    }
}

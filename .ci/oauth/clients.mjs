// Connects the official TypeScript clients from the URL of an endpoint alone: registers, or sends the URL of a metadata
// document, asks the user in a browser, and calls every tool that the user allowed. Then lets the access token expire,
// so the client refreshes it. At last the user ends the connection, which cuts the client off on all nodes. A client
// that needs a scope that the user withheld asks the user again.
// Arguments: the origins of the nodes. FAMILY_API_DATABASE: their database. FAMILY_API_DOCUMENTS: the site with metadata
// documents, for clients that do not register.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { callsOf, checkAnswer, checkTools } from '../expected.mjs';
import { answerOnce } from './browser.mjs';
import { Callback } from './callback.mjs';
import { Provider } from './provider.mjs';
import { endConnections, findConnection, listTools, revokeConnection, signIn } from './session.mjs';

const nodes = process.argv.slice(2);
const documents = process.env.FAMILY_API_DOCUMENTS;
const calls = JSON.parse(readFileSync(new URL('../calls.json', import.meta.url)));
const info = { name: 'family-api-checks', version: '1' };

const clients = {
    'client-2026-07-28': {
        client: () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        transport: (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider }),
        finish: (transport, parameters) => transport.finishAuth(parameters),
    },
    'client-2025-11-25': {
        client: () => new Client(info),
        transport: (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider }),
        finish: (transport, parameters) => transport.finishAuth(parameters),
    },
    'sdk-1': {
        client: () => new FirstClient(info),
        transport: (url, authProvider) => new FirstTransport(url, { authProvider }),
        finish: (transport, parameters) => transport.finishAuth(parameters.get('code')),
    },
};

// The personal API of Sofia is off, so she must switch it on.
const connections = [
    { name: 'client-2026-07-28', path: '/api/v1/mcp', email: 'olena@kovalenko.example', writes: true },
    { name: 'client-2025-11-25', path: '/api/mcp', email: 'olena@kovalenko.example' },
    { name: 'sdk-1', path: '/api/v1/mcp', email: 'sofia@kovalenko.example', access: 'Read only' },
];

// The class of the error depends on the package.
const isUnauthorized = error => error.name === 'UnauthorizedError' || /unauthorized/i.test(String(error));

async function connect(kind, provider, url) {
    const refused = kind.transport(url, provider);
    await assert.rejects(kind.client().connect(refused), isUnauthorized);
    await kind.finish(refused, provider.answer());
    const client = kind.client();
    await client.connect(kind.transport(url, provider));
    return client;
}

async function callAllowedTools(client, { name, path, writes }) {
    const wanted = callsOf(calls, path, name).filter(call => writes || !call.writes);
    const { tools } = await client.listTools();
    checkTools(tools, wanted);
    for (const call of wanted) {
        checkAnswer(call, await client.callTool({ name: call.tool, arguments: call.arguments }));
    }
    return `${tools.length} tools, ${wanted.length} calls`;
}

const withheld = { name: 'update_tasks', arguments: { ids: ['shelf'], title: 'Changed' } };

// A tool that the user withheld is refused. This client refreshes its tokens instead of asking the user again.
async function callWithheldTool(client, provider) {
    await assert.rejects(client.callTool(withheld), /403/);
    assert.equal(provider.questions, 1);
}

// A client asks the user for the scope of a tool that the user withheld, and for those that it has.
async function stepUp(name, email) {
    const url = new URL('/api/v1/mcp', nodes[0]);
    const callback = await Callback.start();
    const asked = [];
    const ask = authorizationUrl => {
        asked.push(authorizationUrl.searchParams.get('scope'));
        return answerOnce(authorizationUrl, { email, access: asked.length === 1 ? 'Read only' : undefined, client: name });
    };
    const provider = new Provider({ name, callback, ask, clientMetadataUrl: documents && `${documents}/${name}.json` });
    const client = await connect(clients[name], provider, url);
    assert.equal(provider.savedTokens.scope, 'v1.read');
    await assert.rejects(client.callTool(withheld), isUnauthorized);
    assert.equal(asked[1], 'v1.read v1.tasks.write');
    await clients[name].finish(client.transport, provider.answer());
    const answer = await client.callTool(withheld);
    assert(!answer.isError, JSON.stringify(answer));
    assert.deepEqual([provider.savedTokens.scope, provider.questions], [asked[1], 2]);
    await endConnections(nodes[0], await signIn(nodes[0], email), 2);
    callback.close();
    console.log(`${name}: asked for ${asked[1]} when a tool needed it`);
}

// An expired access token is refused on every node. The client gets another one without asking the user.
async function refresh(client, provider, url) {
    const before = provider.savedTokens;
    execFileSync(new URL('expire', import.meta.url).pathname, [process.env.FAMILY_API_DATABASE]);
    await checkRefused(url, before.access_token);
    await client.callTool({ name: 'get_overview', arguments: {} });
    const after = provider.savedTokens;
    assert.notEqual(after.access_token, before.access_token);
    assert.notEqual(after.refresh_token, before.refresh_token);
    assert.equal(provider.questions, 1);
}

async function revoke(client, provider, url, { email, path }) {
    const connection = await findConnection(nodes[0], email, provider.name);
    assert.equal(connection.resource, path);
    assert.equal(connection.scopes.join(' '), provider.savedTokens.scope);
    const accessToken = provider.savedTokens.access_token;
    for (const node of nodes) assert.equal((await listTools(node + path, accessToken)).status, 200);
    await revokeConnection(nodes[0], email, connection.id);
    await checkRefused(url, accessToken);
    provider.ask = () => {};
    await assert.rejects(client.callTool({ name: 'get_overview', arguments: {} }), isUnauthorized);
    assert.equal(provider.questions, 2, 'the client asks the user again');
}

async function checkRefused({ pathname }, accessToken) {
    for (const node of nodes) {
        const response = await listTools(node + pathname, accessToken);
        assert.equal(response.status, 401);
        assert.match(response.headers.get('www-authenticate'), /error="invalid_token"/);
    }
}

async function run(connection) {
    const { name, path, email, access } = connection;
    const url = new URL(path, nodes[0]);
    const callback = await Callback.start();
    const ask = authorizationUrl => answerOnce(authorizationUrl, { email, access, client: name });
    const clientMetadataUrl = documents && `${documents}/${name}.json`;
    const provider = new Provider({ name, callback, ask, clientMetadataUrl });
    const client = await connect(clients[name], provider, url);
    assert.equal(provider.client.client_id === clientMetadataUrl, documents !== undefined);
    if (access === 'Read only') await callWithheldTool(client, provider);
    const called = await callAllowedTools(client, connection);
    await refresh(client, provider, url);
    await revoke(client, provider, url, connection);
    callback.close();
    console.log(`${name}, ${path}: ${called}, refreshed, revoked on ${nodes.length} nodes`);
}

for (const connection of connections) await run(connection);
for (const name of ['client-2026-07-28', 'client-2025-11-25']) await stepUp(name, 'olena@kovalenko.example');
process.exit();

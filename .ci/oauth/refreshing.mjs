// A process with the official TypeScript clients, for refreshes.mjs. Argument: the kind of client. Reads commands as
// lines of JSON, and answers each one:
// {"connect": [{"name", "url", "file"}]}: connects a client for each file with a stored client id and tokens
// {"call": count, "windows": {name: milliseconds}}: calls a tool so often, at random within the window. Repeats a call
// that failed. Returns the errors of each client, whether all its calls succeeded at last, and how often it has opened
// the browser.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'family-api-checks', version: '1' };
const kinds = {
    client: {
        client: () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        transport: (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider }),
    },
    sdk: {
        client: () => new FirstClient(info),
        transport: (url, authProvider) => new FirstTransport(url, { authProvider }),
    },
};
const kind = kinds[process.argv[2]];
const connected = new Map();

// The number of times that a call is tried.
const ATTEMPTS = 5;

// Keeps the client and its tokens in a file that another process may share, as installed assistants do.
class StoredProvider {
    redirectUrl = 'http://127.0.0.1/callback';
    clientMetadata = { redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
    asked = 0;

    constructor(file) {
        this.file = file;
    }

    load() {
        return JSON.parse(readFileSync(this.file));
    }

    save(changes) {
        const own = `${this.file}.${process.pid}`;
        writeFileSync(own, JSON.stringify({ ...this.load(), ...changes }));
        renameSync(own, this.file);
    }

    clientInformation() {
        return this.load().client;
    }

    saveClientInformation(client) {
        this.save({ client });
    }

    tokens() {
        return this.load().tokens;
    }

    saveTokens(tokens) {
        this.save({ tokens });
    }

    // The user does not answer, so the client loses its connection if it needs an answer.
    redirectToAuthorization() {
        this.asked += 1;
    }

    saveCodeVerifier() {}

    codeVerifier() {
        return '';
    }

    invalidateCredentials(scope) {
        if (scope === 'all' || scope === 'client') this.save({ client: undefined });
        if (scope === 'all' || scope === 'tokens') this.save({ tokens: undefined });
    }
}

async function connect({ name, url, file }) {
    const provider = new StoredProvider(file);
    const client = kind.client();
    await client.connect(kind.transport(new URL(url), provider));
    await connected.get(name)?.client.close();
    connected.set(name, { client, provider });
}

// Calls the tool, and returns the errors of the attempts that failed.
async function callOnce(client) {
    const errors = [];
    while (errors.length < ATTEMPTS) {
        try {
            await client.callTool({ name: 'get_overview', arguments: {} });
            return errors;
        } catch (error) {
            errors.push(`${error.name}: ${error.message}`);
            await sleep(200);
        }
    }
    return errors;
}

async function call(name, count, window) {
    const { client, provider } = connected.get(name);
    provider.asked = 0;
    const calls = Array.from({ length: count }, async () => {
        await sleep(Math.random() * window);
        return callOnce(client);
    });
    const errors = await Promise.all(calls);
    const succeeded = errors.every(errors => errors.length < ATTEMPTS);
    return [name, { errors: errors.flat(), succeeded, asked: provider.asked }];
}

async function run(command) {
    if (command.connect) return Promise.all(command.connect.map(connect));
    const calls = Object.entries(command.windows).map(([name, window]) => call(name, command.call, window));
    return Object.fromEntries(await Promise.all(calls));
}

// The packages warn of every answer that was lost.
console.warn = () => {};
for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify((await run(JSON.parse(line))) ?? null));
}
process.exit();

// The official TypeScript clients, by the version of the protocol.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const requestInit = { headers: { Authorization: `Bearer ${process.env.FAMILY_API_TOKEN}` } };
const info = { name: 'family-api-checks', version: '1' };

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

export const names = Object.keys(clients);

// Returns a connected client.
export async function connect(name, url) {
    const client = clients[name].client();
    await client.connect(clients[name].transport(url));
    return client;
}

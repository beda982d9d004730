// The session routes on which users see and end their connections.
import assert from 'node:assert/strict';

// Returns the options of a request in a new session.
export async function signIn(origin, email) {
    const response = await fetch(`${origin}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'correct-horse' }),
    });
    assert.equal(response.status, 200);
    return { headers: { cookie: response.headers.get('set-cookie').split(';')[0] } };
}

// Returns the only live connection of a user with a client of this name.
export async function findConnection(origin, email, client) {
    const response = await fetch(`${origin}/api/users/me/connections`, await signIn(origin, email));
    assert.equal(response.status, 200);
    const { connections } = await response.json();
    const found = connections.filter(connection => connection.client === client);
    assert.equal(found.length, 1, JSON.stringify(connections));
    return found[0];
}

export async function revokeConnection(origin, email, id) {
    const options = { method: 'DELETE', ...(await signIn(origin, email)) };
    const response = await fetch(`${origin}/api/users/me/connections/${id}`, options);
    assert.equal(response.status, 200, await response.text());
}

// Returns the response of an MCP endpoint to an access token.
export function listTools(url, accessToken) {
    return fetch(url, {
        method: 'POST',
        headers: {
            authorization: `Bearer ${accessToken}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
}

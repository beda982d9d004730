// What users do in a session: they allow connections, see them and end them.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';

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

// Returns the connections of the user of a session: `connections` are live, `misused` were ended by the service.
export async function getConnections(origin, session) {
    const response = await answerOf(200, `${origin}/api/users/me/connections`, session);
    return response.json();
}

export async function listConnections(origin, session) {
    return (await getConnections(origin, session)).connections;
}

// Returns the only live connection of a user with a client of this name.
export async function findConnection(origin, email, client) {
    const connections = await listConnections(origin, await signIn(origin, email));
    const found = connections.filter(connection => connection.client === client);
    assert.equal(found.length, 1, JSON.stringify(connections));
    return found[0];
}

export async function revokeConnection(origin, email, id) {
    const options = { method: 'DELETE', ...(await signIn(origin, email)) };
    const response = await fetch(`${origin}/api/users/me/connections/${id}`, options);
    assert.equal(response.status, 200, await response.text());
}

// Ends the newest connections of the user of a session.
export async function endConnections(origin, session, count) {
    for (const { id } of (await listConnections(origin, session)).slice(0, count)) {
        await answerOf(200, `${origin}/api/users/me/connections/${id}`, { method: 'DELETE', ...session });
    }
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

// Registers a client, lets the user allow it, and returns what the client stores: its id and its tokens. `origin` is
// the origin that the client knows. There is no browser, so that hundreds of clients can connect.
export async function connectClient(origin, session, name) {
    const redirectUri = 'http://127.0.0.1/callback';
    const registered = await answerOf(201, `${origin}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    });
    const client = { ...(await registered.json()), issuer: origin };
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
    });
    const page = await answerOf(200, `${origin}/oauth/authorize?${parameters}`, session);
    const request = (await page.text()).match(/name="request" value="([^"]+)"/)[1];
    const allowed = await answerOf(303, `${origin}/oauth/consent`, {
        method: 'POST',
        headers: { ...session.headers, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ request, decision: 'allow', access: 'v1_read' }),
        redirect: 'manual',
    });
    const code = new URL(allowed.headers.get('location')).searchParams.get('code');
    const redemption = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const { status, body: tokens } = await requestTokens(origin, client, redemption);
    assert.equal(status, 200, JSON.stringify(tokens));
    return { client, tokens: { ...tokens, issuer: origin } };
}

// Refreshes the tokens of a client. Returns the status and the body of the response.
export function refreshTokens(origin, client, { refresh_token }) {
    return requestTokens(origin, client, { grant_type: 'refresh_token', refresh_token });
}

async function requestTokens(origin, client, parameters) {
    const form = new URLSearchParams({ client_id: client.client_id, ...parameters });
    const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body: form });
    return { status: response.status, body: await response.json() };
}

async function answerOf(status, url, options) {
    const response = await fetch(url, options);
    if (response.status !== status) throw new Error(`${response.status} of ${url}: ${await response.text()}`);
    return response;
}

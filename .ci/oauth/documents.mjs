// Checks which metadata documents the server fetches and accepts, after clients with such documents have connected.
// Argument: the issuer.
import assert from 'node:assert/strict';
import { signIn } from './session.mjs';

const issuer = process.argv[2];
const requests = async () => (await fetch('https://client.example/requests')).json();

const session = await signIn(issuer, 'sofia@kovalenko.example');

// Returns the status of the authorization endpoint for a signed-in user: 200 for a known client, whose consent page it is.
async function statusFor(client_id) {
    const query = new URLSearchParams({
        client_id,
        redirect_uri: 'http://127.0.0.1/callback',
        response_type: 'code',
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'S256',
    });
    return (await fetch(`${issuer}/oauth/authorize?${query}`, { redirect: 'manual', ...session })).status;
}

const { documents: connected, addresses: [publicAddress] } = await requests();
assert.notEqual(connected.length, 0);
for (const url of new Set(connected)) {
    const fetched = connected.filter(other => other === url).length;
    assert(fetched <= 2, `${url} was fetched ${fetched} times by two nodes`);
}

assert.equal(await statusFor('https://client.example/usable.json'), 200);
for (const url of [
    'https://client.example/moved.json',
    'https://client.example/foreign.json',
    'https://client.example/large.json',
    'https://private.example/client.json',
    'https://10.0.0.1/client.json',
    'https://localhost/client.json',
    'http://client.example/client.json',
]) {
    assert.equal(await statusFor(url), 400, url);
}
assert.deepEqual((await requests()).addresses, [publicAddress], 'the server connected to a private address');
console.log('metadata documents: kept by each node; private addresses, redirects and foreign or large ones are refused');

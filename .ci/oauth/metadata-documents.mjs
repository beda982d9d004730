// The site of a client: serves metadata documents over HTTPS. Checks that the server refuses unusable ones, and runs a
// command that connects clients with usable ones. Arguments: the path of the certificate without its ending, the origin
// of the server, and the command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';

const [certificate, origin, ...command] = process.argv.slice(2);
const redirectUri = 'http://127.0.0.1/callback';
const requests = [];

const site = https.createServer(
    { key: readFileSync(`${certificate}.key`), cert: readFileSync(`${certificate}.pem`) },
    (request, response) => {
        const url = `https://${request.headers.host}${request.url}`;
        requests.push(url);
        if (request.url === '/moved.json') {
            return response.writeHead(302, { location: '/usable.json' }).end();
        }
        const document = {
            client_id: request.url === '/foreign.json' ? 'https://other.example/client.json' : url,
            client_name: request.url.replace(/^\/|\.json$/g, ''),
            redirect_uris: [redirectUri],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
            software_statement: request.url === '/large.json' ? 'x'.repeat(5 * 1024) : undefined,
        };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
    },
);
await once(site.listen(443), 'listening');

// Returns the status of the authorization endpoint for a client that is not signed in. A known client is sent to the
// sign-in, an unknown one sees a page.
async function statusFor(client_id) {
    const query = new URLSearchParams({ client_id, redirect_uri: redirectUri });
    return (await fetch(`${origin}/oauth/authorize?${query}`, { redirect: 'manual' })).status;
}

assert.equal(await statusFor('https://client.example/usable.json'), 303);
for (const url of [
    'https://client.example/moved.json',
    'https://client.example/foreign.json',
    'https://client.example/large.json',
    'https://private.example/client.json',
    'https://10.0.0.1/client.json',
    'http://client.example/client.json',
]) {
    assert.equal(await statusFor(url), 400, url);
}
assert(!requests.some(url => /private|10\.0/.test(url)), `private addresses were asked: ${requests}`);
console.log('unusable documents are refused, and private addresses are not asked');

requests.length = 0;
const [status] = await once(spawn(command[0], command.slice(1), { stdio: 'inherit' }), 'exit');
assert.equal(status, 0);
assert.equal(new Set(requests).size, requests.length, `a document was fetched again: ${requests}`);
console.log(`${requests.length} documents fetched, each once`);
process.exit();

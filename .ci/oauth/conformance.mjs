// Runs the conformance suite's checks of authorization servers, and opens the URL that it prints in the browser.
// Arguments: the issuer, and the URL of an MCP endpoint.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerOnce } from './browser.mjs';

const [issuer, resource] = process.argv.slice(2);
const suite = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

async function register() {
    const response = await fetch(`${issuer}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'conformance', redirect_uris: ['http://127.0.0.1/callback'] }),
    });
    assert.equal(response.status, 201);
    return (await response.json()).client_id;
}

async function freePort() {
    const server = createServer();
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise(resolve => server.close(resolve));
    return port;
}

const options = ['--url', issuer, '--resource', resource, '--client-id', await register(), '--port', await freePort()];
const child = spawn(process.execPath, [suite, 'authorization', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
const printed = [];
for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (line.startsWith(`${issuer}/oauth/authorize?`)) await answerOnce(line, { client: 'conformance' });
}
// A check that the suite skips counts neither as passed nor as failed. A warning does not count as failed.
const text = printed.join('\n');
assert.match(text, /^Total: 3 passed, 0 failed$/m, text);
assert.doesNotMatch(text, /[1-9]\d* warnings/, text);
console.log('conformance suite, authorization: 3 checks passed');

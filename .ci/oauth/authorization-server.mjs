// Tests the authorization server alone with oauth4webapi, which checks each response against its specification:
// RFC 8414, 9728, 7591, 6749, 7636, 9207, 8707, 6750 and 7009. Argument: the issuer.
import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import { User } from './browser.mjs';
import { Callback } from './callback.mjs';

const issuer = new URL(process.argv[2]);
const resource = new URL('/api/v1/mcp', issuer);
const READ_WRITE = 'v1.read v1.tasks.write v1.notes.write';
const ALL_SCOPES = `${READ_WRITE} v1.tasks.manage v1.notes.manage v1.events.write v1.shopping.write v1.boards.manage`;
// The issuer has no TLS, because it is on loopback.
const insecure = { [oauth.allowInsecureRequests]: true };
const noSecret = oauth.None();

const user = await User.start();
const callback = await Callback.start();
const server = await discover();
const client = await register('oauth4webapi');

async function discover() {
    const protectedResource = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    // The library compares URLs with a slash after the origin. The document has the text of the issuer.
    assert.deepEqual(protectedResource.authorization_servers, [issuer.origin]);
    assert.equal(protectedResource.scopes_supported.join(' '), ALL_SCOPES);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth.processDiscoveryResponse(issuer, response);
}

async function register(name) {
    const metadata = { client_name: name, redirect_uris: [callback.url], token_endpoint_auth_method: 'none' };
    const response = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
    return oauth.processDynamicClientRegistrationResponse(response);
}

// Returns the URL of a new authorization request, with its state and its code verifier.
async function newRequest(scope) {
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: callback.url,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: resource.href,
        scope,
        state,
    });
    return { url, state, verifier };
}

// Asks the user, and returns the validated parameters of the redirect with the code verifier.
async function authorize({ scope = ALL_SCOPES, ...answer } = {}) {
    const { url, state, verifier } = await newRequest(scope);
    await user.answer(url, answer);
    const answered = callback.take();
    assert.equal(answered.get('iss'), issuer.origin);
    return { parameters: oauth.validateAuthResponse(server, client, answered, state), verifier };
}

async function redeem({ parameters, verifier }, by = client) {
    const options = { additionalParameters: { resource: resource.href }, ...insecure };
    const response = await oauth.authorizationCodeGrantRequest(
        server, by, noSecret, parameters, callback.url, verifier, options,
    );
    return oauth.processAuthorizationCodeResponse(server, by, response);
}

async function refresh(token, additionalParameters = {}) {
    const options = { additionalParameters, ...insecure };
    const response = await oauth.refreshTokenGrantRequest(server, client, noSecret, token, options);
    return oauth.processRefreshTokenResponse(server, client, response);
}

async function revoke(token) {
    const response = await oauth.revocationRequest(server, client, noSecret, token, insecure);
    return oauth.processRevocationResponse(response);
}

async function access(token, path = resource.pathname) {
    const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const response = await oauth.protectedResourceRequest(token, 'POST', new URL(path, issuer), headers, body, insecure);
    return response.status;
}

const error = code => thrown => {
    assert.equal(thrown.error, code, thrown.stack);
    return true;
};

async function checkRefused(token, path) {
    await assert.rejects(access(token, path), thrown => {
        const [{ scheme, parameters }] = thrown.cause;
        assert.deepEqual([thrown.status, scheme, parameters.error], [401, 'bearer', 'invalid_token']);
        return true;
    });
}

const tests = {
    'metadata offers what MCP clients need, and nothing else'() {
        assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
        assert.deepEqual(server.token_endpoint_auth_methods_supported, ['none']);
        assert.equal(server.authorization_response_iss_parameter_supported, true);
        assert.equal(server.client_id_metadata_document_supported, true);
        assert.equal(server.pushed_authorization_request_endpoint, undefined);
        assert.equal(server.introspection_endpoint, undefined);
    },

    async 'a token is good for its endpoint only'() {
        const tokens = await redeem(await authorize());
        assert.equal(tokens.scope, ALL_SCOPES);
        assert.equal(tokens.expires_in, 3600);
        assert.equal(await access(tokens.access_token), 200);
        await checkRefused(tokens.access_token, '/api/mcp');
        await checkRefused(tokens.access_token, '/api/v1/read/tasks');
        await revoke(tokens.access_token);
    },

    async 'the user narrows the scopes'() {
        for (const [access, scope] of [['Read only', 'v1.read'], ['Read and change', READ_WRITE]]) {
            const tokens = await redeem(await authorize({ access }));
            assert.equal(tokens.scope, scope);
            // A refresh does not widen what the user allowed.
            await assert.rejects(refresh(tokens.refresh_token, { scope: ALL_SCOPES }), error('invalid_scope'));
            await revoke(tokens.refresh_token);
        }
    },

    async 'the user denies'() {
        await assert.rejects(authorize({ button: 'Deny' }), error('access_denied'));
    },

    async 'a faulty request returns to the client only through a link'() {
        const { url, state } = await newRequest('unknown');
        await user.open(url);
        assert.equal(user.page.url(), url.href);
        // The status of the page, 400, is in the console.
        user.errors = user.errors.filter(text => !text.includes('status of 400'));
        await user.page.getByRole('link', { name: 'Back to the app' }).click();
        await user.page.waitForURL(arrived => arrived.origin === new URL(callback.url).origin);
        const answered = callback.take();
        assert.throws(() => oauth.validateAuthResponse(server, client, answered, state), error('invalid_scope'));
    },

    async 'a refresh replaces both tokens'() {
        const first = await redeem(await authorize());
        const second = await refresh(first.refresh_token, { resource: resource.href });
        await checkRefused(first.access_token);
        assert.equal(await access(second.access_token), 200);
        const narrowed = await refresh(second.refresh_token, { scope: 'v1.read' });
        assert.equal(narrowed.scope, 'v1.read');
        const widened = await refresh(narrowed.refresh_token, { scope: ALL_SCOPES });
        assert.deepEqual(new Set(widened.scope.split(' ')), new Set(ALL_SCOPES.split(' ')));
        await assert.rejects(refresh(widened.refresh_token, { scope: 'mcp.read' }), error('invalid_scope'));
        const other = new URL('/api/mcp', issuer).href;
        await assert.rejects(refresh(widened.refresh_token, { resource: other }), error('invalid_target'));
        assert.equal(await access((await refresh(widened.refresh_token)).access_token), 200);
    },

    async 'a refresh can be repeated, but an older token ends the connection'() {
        const first = await redeem(await authorize());
        const second = await refresh(first.refresh_token);
        const repeated = await refresh(first.refresh_token);
        assert.equal(repeated.refresh_token, second.refresh_token);
        assert.equal(await access(repeated.access_token), 200);
        // A refresh with other scopes replaces the tokens at once.
        const third = await refresh(second.refresh_token, { scope: 'v1.read' });
        await assert.rejects(refresh(first.refresh_token), error('invalid_grant'));
        await checkRefused(third.access_token);
        await assert.rejects(refresh(third.refresh_token), error('invalid_grant'));
    },

    async 'a code that is used again ends the connection'() {
        const code = await authorize();
        const tokens = await redeem(code);
        await assert.rejects(redeem(code), error('invalid_grant'));
        await checkRefused(tokens.access_token);
        await assert.rejects(refresh(tokens.refresh_token), error('invalid_grant'));
    },

    async 'a failed attempt uses up the code'() {
        const code = await authorize();
        const verifier = oauth.generateRandomCodeVerifier();
        await assert.rejects(redeem({ ...code, verifier }), error('invalid_grant'));
        await assert.rejects(redeem(code), error('invalid_grant'));
    },

    async 'a code is good for its client only'() {
        const [code, other] = [await authorize(), await register('another client')];
        await assert.rejects(redeem(code, other), error('invalid_grant'));
    },

    async 'revocation ends the connection, whichever token is sent'() {
        for (const token of ['access_token', 'refresh_token']) {
            const tokens = await redeem(await authorize());
            await revoke(tokens[token]);
            await checkRefused(tokens.access_token);
            await assert.rejects(refresh(tokens.refresh_token), error('invalid_grant'));
        }
        await revoke('unknown');
    },

    async 'a page of another origin registers and gets tokens'() {
        const code = await authorize();
        const tokens = await user.page.evaluate(async ({ registration, metadata, grant }) => {
            const headers = { 'mcp-protocol-version': '2026-07-28' };
            const server = await (await fetch(metadata, { headers })).json();
            const post = async (url, body, type) => {
                const response = await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body });
                if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
                return response.json();
            };
            await post(server.registration_endpoint, registration, { 'content-type': 'application/json' });
            return post(server.token_endpoint, new URLSearchParams(grant));
        }, {
            registration: JSON.stringify({ redirect_uris: [callback.url] }),
            metadata: new URL('/.well-known/oauth-authorization-server', issuer).href,
            grant: {
                grant_type: 'authorization_code',
                client_id: client.client_id,
                redirect_uri: callback.url,
                code: code.parameters.get('code'),
                code_verifier: code.verifier,
            },
        });
        assert.equal(await access(tokens.access_token), 200);
    },

    async 'errors have the codes of RFC 6749'() {
        const request = async (grantType, parameters = {}) => {
            const response = await oauth.genericTokenEndpointRequest(
                server, client, noSecret, grantType, parameters, insecure,
            );
            return oauth.processGenericTokenEndpointResponse(server, client, response);
        };
        await assert.rejects(request('client_credentials'), error('unsupported_grant_type'));
        await assert.rejects(request('authorization_code'), error('invalid_request'));
        await assert.rejects(request('refresh_token', { refresh_token: 'unknown' }), error('invalid_grant'));
    },
};

for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`oauth4webapi: ${name}`);
}
callback.close();
await user.close();

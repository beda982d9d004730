// What an assistant keeps about a connection, in memory. Implements `OAuthClientProvider` of both TypeScript packages.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

export class Provider {
    // `ask` opens the browser. `clientMetadataUrl` is the id of a client that does not register.
    constructor({ name, callback, ask, clientMetadataUrl }) {
        Object.assign(this, { name, callback, ask, clientMetadataUrl });
        this.questions = 0;
    }

    get redirectUrl() {
        return this.callback.url;
    }

    get clientMetadata() {
        return {
            client_name: this.name,
            redirect_uris: [this.redirectUrl],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
        };
    }

    state() {
        return (this.sentState = randomUUID());
    }

    async redirectToAuthorization(url) {
        this.questions += 1;
        await this.ask(url);
    }

    // Returns the parameters of the redirect. Neither package checks `state`.
    answer() {
        const parameters = this.callback.take();
        assert.equal(parameters.get('state'), this.sentState);
        return parameters;
    }

    clientInformation() {
        return this.client;
    }

    saveClientInformation(client) {
        this.client = client;
    }

    tokens() {
        return this.savedTokens;
    }

    saveTokens(tokens) {
        this.savedTokens = tokens;
    }

    codeVerifier() {
        return this.verifier;
    }

    saveCodeVerifier(verifier) {
        this.verifier = verifier;
    }

    discoveryState() {
        return this.discovered;
    }

    saveDiscoveryState(state) {
        this.discovered = state;
    }

    invalidateCredentials(scope) {
        if (scope === 'all' || scope === 'client') this.client = undefined;
        if (scope === 'all' || scope === 'tokens') this.savedTokens = undefined;
        if (scope === 'all' || scope === 'discovery') this.discovered = undefined;
    }
}

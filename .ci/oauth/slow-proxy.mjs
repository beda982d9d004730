// A network between a client and the nodes of a service: a proxy on a loopback port that delays each request by a round
// trip, asks the nodes in turn, and loses some answers of the token endpoint. The node has then handled the request.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export class SlowProxy {
    static async start(nodes) {
        const proxy = new SlowProxy();
        Object.assign(proxy, { nodes, turn: 0, lostInARow: 0, labels: new Map(), trace: [] });
        proxy.set({ roundTrip: 0, lossRate: 0 });
        proxy.server = http.createServer((request, response) => {
            proxy.forward(request, response).catch(() => response.destroy());
        });
        await new Promise(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
        proxy.origin = `http://127.0.0.1:${proxy.server.address().port}`;
        return proxy;
    }

    // Sets the round trip in milliseconds, and the share of the answers with tokens that are lost.
    set({ roundTrip, lossRate }) {
        Object.assign(this, { roundTrip, lossRate });
    }

    async forward(request, response) {
        const body = await read(request);
        // A new connection costs a round trip before its first request.
        const isNew = !request.socket.isKnown;
        request.socket.isKnown = true;
        await sleep(this.roundTrip * (isNew ? 1.5 : 0.5));
        const node = this.turn++ % this.nodes.length;
        const step = this.begin(request, body, node);
        const { status, headers, content } = await this.ask(node, request, body);
        const isLost = this.end(step, status, content);
        await sleep(this.roundTrip / 2);
        if (isLost) response.destroy();
        else response.writeHead(status, headers).end(content);
    }

    // Sends the request with its own `Host`, from which the node derives the addresses of its metadata.
    async ask(node, { method, url, headers }, body) {
        const call = http.request(new URL(url, this.nodes[node]), { method, headers });
        const answered = new Promise((resolve, reject) => call.on('response', resolve).on('error', reject));
        call.end(body);
        const answer = await answered;
        const kept = { ...answer.headers };
        delete kept['transfer-encoding'];
        delete kept.connection;
        return { status: answer.statusCode, headers: kept, content: await read(answer) };
    }

    // Records a refresh. Tokens appear as R1, R2 and so on, in the order in which they are seen.
    begin({ method, url }, body, node) {
        const form = new URLSearchParams(method === 'POST' && /^(\/oauth)?\/token$/.test(url) ? body.toString() : '');
        if (form.get('grant_type') !== 'refresh_token') return undefined;
        const step = { at: Date.now(), node, used: this.label(form.get('refresh_token')) };
        this.trace.push(step);
        return step;
    }

    // Returns whether the answer is lost: at most two in a row, because a client gives up at some time.
    end(step, status, content) {
        if (!step) return false;
        const isIssued = status === 200;
        step.answer = isIssued ? this.label(JSON.parse(content).refresh_token) : `${status} ${content}`;
        step.isLost = isIssued && this.lostInARow < 2 && Math.random() < this.lossRate;
        this.lostInARow = step.isLost ? this.lostInARow + 1 : 0;
        return step.isLost;
    }

    label(token) {
        if (!this.labels.has(token)) this.labels.set(token, `R${this.labels.size + 1}`);
        return this.labels.get(token);
    }

    // Returns the refreshes since the last call.
    takeTrace() {
        return this.trace.splice(0);
    }

    close() {
        this.server.close();
        this.server.closeAllConnections();
    }
}

async function read(stream) {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
}

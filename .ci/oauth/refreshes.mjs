// Counts the connections that clients lose after their access token has expired. Several calls at about the same time
// then refresh at about the same time. Some answers are lost, and two processes share one stored token. A trial calls
// again an hour later, because a client can also have stored a token that was replaced. Prints the lost connections of
// each kind of client, window of the calls and round trip. Fails if there are any, or if a replay an hour later does
// not end its connection.
// Arguments: the number of rounds (80 trials each), Python with the official client, and the origins of the nodes.
// FAMILY_API_DATABASE: their database. FAMILY_API_SERVER_LOG: the file with their log.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
    connectClient, endConnections, getConnections, listConnections, listTools, refreshTokens, revokeConnection, signIn,
} from './session.mjs';
import { SlowProxy } from './slow-proxy.mjs';

const [rounds, python, ...nodes] = process.argv.slice(2);
const windows = [0, 400, 600, 1_500];
const roundTrips = [20, 80, 150, 300];
// The share of the answers with new tokens that are lost.
const lossRate = 0.2;
const calls = 3;
const endpoint = '/api/v1/mcp';

const inNode = kind => [process.execPath, fileURLToPath(new URL('refreshing.mjs', import.meta.url)), kind];
const inPython = [python, fileURLToPath(new URL('refreshing.py', import.meta.url))];
// A user has at most 50 connections, and each kind of client needs 16.
const kinds = [
    { name: 'client', command: inNode('client'), processes: 1, email: 'olena@kovalenko.example' },
    { name: 'sdk', command: inNode('sdk'), processes: 1, email: 'olena@kovalenko.example' },
    { name: 'python', command: inPython, processes: 1, email: 'olena@kovalenko.example' },
    { name: 'client ×2', command: inNode('client'), processes: 2, email: 'taras@kovalenko.example' },
    { name: 'python ×2', command: inPython, processes: 2, email: 'taras@kovalenko.example' },
];
const folder = mkdtempSync(join(tmpdir(), 'refreshes-'));

// A process of clients, which handles one command after another.
class Clients {
    constructor([program, ...parameters]) {
        this.child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
        this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    }

    async run(command) {
        this.child.stdin.write(`${JSON.stringify(command)}\n`);
        const { value, done } = await this.lines.next();
        assert(!done, `stopped: ${this.child.spawnargs.join(' ')}`);
        return JSON.parse(value);
    }
}

// Lets an hour pass for all connections.
function expire() {
    execFileSync(new URL('expire', import.meta.url).pathname, [process.env.FAMILY_API_DATABASE]);
}

// Connects clients as new ones, in all processes of their kind.
async function connect({ processes, session }, lanes) {
    await Promise.all(lanes.map(async ({ name, proxy, file }) => {
        proxy.set({ roundTrip: 0, lossRate: 0 });
        writeFileSync(file, JSON.stringify(await connectClient(proxy.origin, session, name)));
    }));
    const connected = lanes.map(({ name, proxy, file }) => ({ name, url: proxy.origin + endpoint, file }));
    for (const clients of processes) await clients.run({ connect: connected });
    for (const { proxy, roundTrip } of lanes) proxy.set({ roundTrip, lossRate });
}

async function start(kind) {
    kind.session = sessions.get(kind.email);
    kind.processes = Array.from({ length: kind.processes }, () => new Clients(kind.command));
    kind.lanes = [];
    for (const roundTrip of roundTrips) {
        for (const window of windows) {
            const name = `${kind.name}, ${window} ms, ${roundTrip} ms`;
            const proxy = await SlowProxy.start(nodes);
            const file = join(folder, `${kinds.indexOf(kind)}-${window}-${roundTrip}.json`);
            kind.lanes.push({ name, window, roundTrip, proxy, file, trials: 0, lost: 0 });
        }
    }
    await connect(kind, kind.lanes);
}

// Runs the calls in all processes at once. Returns the results by connection.
async function callInAll({ processes, lanes }, count, windowOf) {
    expire();
    const command = { call: count, windows: Object.fromEntries(lanes.map(lane => [lane.name, windowOf(lane)])) };
    const results = await Promise.all(processes.map(clients => clients.run(command)));
    return name => results.map(result => result[name]);
}

// Runs a trial with each connection of a kind of client.
async function runTrials(kind) {
    const burst = await callInAll(kind, calls, lane => lane.window);
    const anHourLater = await callInAll(kind, 1, () => 0);
    const live = new Map((await listConnections(nodes[0], kind.session)).map(({ client, id }) => [client, id]));
    const lost = kind.lanes.filter(lane => {
        const results = [...burst(lane.name), ...anHourLater(lane.name)];
        lane.trials += 1;
        return isConnectionLost(lane, live.has(lane.name), results, lane.proxy.takeTrace());
    });
    for (const { name } of lost) {
        if (live.has(name)) await revokeConnection(nodes[0], kind.email, live.get(name));
    }
    if (lost.length) await connect(kind, lost);
}

// Counts a trial, and returns whether the client lost its connection: the service has ended it, a call did not succeed,
// or the client has asked the user. The TypeScript clients ask the user after each lost answer, although their
// connection remains.
function isConnectionLost(lane, isLive, results, trace) {
    const answersLost = trace.filter(step => step.isLost).length;
    const asked = results.reduce((sum, result) => sum + result.asked, 0);
    totals.refreshes += trace.length;
    totals.answersLost += answersLost;
    totals.asked += asked;
    totals.repeated += results.reduce((sum, result) => sum + result.errors.length, 0);
    if (isLive && results.every(result => result.succeeded) && asked <= answersLost) return false;
    lane.lost += 1;
    console.log(`${lane.name}: lost (${isLive ? 'live' : 'ended'}, asked ${asked}, answers lost ${answersLost})`);
    for (const { at, node, used, answer, isLost } of trace) {
        const fate = isLost ? ', answer lost' : '';
        console.log(`    ${at - trace[0].at} ms, node ${node + 1}: ${used} -> ${answer}${fate}`);
    }
    for (const error of new Set(results.flatMap(result => result.errors))) console.log(`    ${error}`);
    return true;
}

// A refresh can be repeated on every node, but an hour later, the replay ends the connection. The user and the audit
// see that.
async function checkReplay(session) {
    const { client, tokens } = await connectClient(nodes[0], session, 'replay');
    const [connection] = (await listConnections(nodes[0], session)).filter(({ client }) => client === 'replay');
    const issued = await refreshTokens(nodes[0], client, tokens);
    assert.equal(issued.status, 200);
    for (const node of nodes) {
        const repeated = await refreshTokens(node, client, tokens);
        assert.equal(repeated.body.access_token, issued.body.access_token);
        assert.equal(repeated.body.refresh_token, issued.body.refresh_token);
        assert.equal((await listTools(node + endpoint, issued.body.access_token)).status, 200);
    }
    expire();
    for (const ended of [tokens, issued.body]) {
        for (const node of nodes) assert.equal((await refreshTokens(node, client, ended)).body.error, 'invalid_grant');
    }
    const { connections, misused } = await getConnections(nodes[0], session);
    assert(connections.every(({ id }) => id !== connection.id), 'the connection is live');
    const { misuse } = misused.find(({ id }) => id === connection.id);
    assert.equal(misuse, 'refresh_token_reused');
    const line = `event="connection_ended" .* connection=${connection.id} reason="refresh_token_reused"`;
    assert.equal(readFileSync(process.env.FAMILY_API_SERVER_LOG, 'utf8').match(new RegExp(line, 'g'))?.length, 1);
    console.log('a replay an hour later ended its connection. The user and the audit see it');
}

function printTable() {
    const row = cells => console.log(cells.map((cell, index) => String(cell).padStart(index ? 9 : 11)).join(''));
    console.log('lost connections / trials, by round trip');
    row(['client', 'window', ...roundTrips.map(roundTrip => `${roundTrip} ms`)]);
    for (const kind of kinds) {
        for (const window of windows) {
            const lanes = kind.lanes.filter(lane => lane.window === window);
            row([kind.name, `${window} ms`, ...lanes.map(lane => `${lane.lost}/${lane.trials}`)]);
        }
    }
}

const totals = { refreshes: 0, answersLost: 0, asked: 0, repeated: 0 };
const sessions = new Map();
for (const { email } of kinds) sessions.set(email, sessions.get(email) ?? (await signIn(nodes[0], email)));
for (const kind of kinds) await start(kind);
for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) await runTrials(kind);
}
printTable();
const lanes = kinds.flatMap(kind => kind.lanes);
const sum = field => lanes.reduce((sum, lane) => sum + lane[field], 0);
console.log(
    `${sum('lost')} of ${sum('trials')} trials lost the connection (${totals.refreshes} refreshes, ` +
        `${totals.answersLost} answers lost, ${totals.repeated} calls repeated, ${totals.asked} browsers opened)`,
);
for (const kind of kinds) kind.processes.forEach(clients => clients.child.kill());
rmSync(folder, { recursive: true });
await checkReplay(kinds[0].session);
// A user has at most 50 connections, and later checks need some. A user can end 60 a minute.
for (const session of sessions.values()) await endConnections(nodes[0], session, 30);
process.exit(sum('lost') ? 1 : 0);

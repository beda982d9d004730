// Forwards requests to a server and adds the bearer token, because the conformance suite cannot send one. Prints its
// address when it listens. Arguments: the server's address, and the host of its public URL. FAMILY_API_TOKEN: the token.
import http from 'node:http';

const upstream = new URL(process.argv[2]);
const publicHost = process.argv[3];
const token = process.env.FAMILY_API_TOKEN;

// The scenarios for DNS rebinding send other hosts and origins, which must reach the server unchanged. Only the
// proxy's own address is replaced by the server's public host, as a proxy in front of a server does.
function forwarded(headers, own) {
    const replaced = { ...headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin']) {
        for (const alias of [own, own.replace('127.0.0.1', 'localhost')]) {
            replaced[name] = replaced[name]?.replace(alias, publicHost);
        }
        if (replaced[name] === undefined) delete replaced[name];
    }
    return replaced;
}

const proxy = http.createServer((request, response) => {
    const own = `127.0.0.1:${proxy.address().port}`;
    const options = { method: request.method, path: request.url, headers: forwarded(request.headers, own) };
    const call = http.request(upstream, options, answer => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
    });
    call.on('error', error => response.writeHead(502).end(String(error)));
    request.pipe(call);
});

proxy.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${proxy.address().port}`));

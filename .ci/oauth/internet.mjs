// Two sites with TLS on one address: family.example is a proxy in front of the nodes, any other host serves the metadata
// documents of clients. `/requests` of client.example lists the requests for documents, and the addresses to which
// a client connected. Arguments: the path of the certificate without its ending, and the origins of the nodes.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';

const [certificate, ...nodes] = process.argv.slice(2);
const documents = [];
const addresses = new Set();
let turn = 0;

function forward(request, response) {
    const { method, headers, url: path } = request;
    const call = http.request(nodes[turn++ % nodes.length], { method, headers, path }, answer => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
    });
    call.on('error', error => response.writeHead(502).end(String(error)));
    request.pipe(call);
}

function serveDocument(request, response) {
    if (request.url === '/requests') return response.end(JSON.stringify({ documents, addresses: [...addresses] }));
    const url = `https://${request.headers.host}${request.url}`;
    documents.push(url);
    if (request.url === '/moved.json') return response.writeHead(302, { location: '/usable.json' }).end();
    const document = {
        client_id: request.url === '/foreign.json' ? 'https://other.example/client.json' : url,
        client_name: request.url.replace(/^\/|\.json$/g, ''),
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        software_id: request.url === '/large.json' ? 'x'.repeat(5 * 1024) : 'family-api-checks',
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
}

const tls = { key: readFileSync(`${certificate}.key`), cert: readFileSync(`${certificate}.pem`) };
const site = https.createServer(tls, (request, response) => {
    (request.headers.host === 'family.example' ? forward : serveDocument)(request, response);
});
site.on('connection', socket => addresses.add(socket.localAddress));
site.listen({ port: 443, host: '0.0.0.0' }, () => console.log('listening'));

// The redirect address of an installed client: a server on a free loopback port.
import http from 'node:http';

export class Callback {
    static async start() {
        const callback = new Callback();
        callback.arrived = [];
        callback.server = http.createServer((request, response) => {
            const url = new URL(request.url, callback.url);
            if (url.pathname === '/callback') callback.arrived.push(url.searchParams);
            response.setHeader('content-type', 'text/plain').end('Connected');
        });
        await new Promise(resolve => callback.server.listen(0, '127.0.0.1', resolve));
        callback.url = `http://127.0.0.1:${callback.server.address().port}/callback`;
        return callback;
    }

    // Returns the parameters of the only redirect since the last call.
    take() {
        const [parameters, ...more] = this.arrived.splice(0);
        if (!parameters || more.length) throw new Error(`${more.length + !!parameters} redirects instead of one`);
        return parameters;
    }

    close() {
        this.server.close();
        this.server.closeAllConnections();
    }
}

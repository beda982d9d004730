// Lists and calls every tool on both endpoints with the official TypeScript clients. The clients check the structured
// content of each answer against the output schema. Arguments: the server's origin. FAMILY_API_TOKEN: a key of mode
// v1_full.
import { readFileSync } from 'node:fs';
import { checkAnswer, checkTools, callsOf } from './expected.mjs';
import { connect, names } from './official.mjs';

const origin = process.argv[2];
const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url)));

async function run(name, path) {
    const client = await connect(name, new URL(path, origin));
    const { tools } = await client.listTools();
    const wanted = callsOf(calls, path, name);
    checkTools(tools, wanted);
    for (const call of wanted) {
        checkAnswer(call, await client.callTool({ name: call.tool, arguments: call.arguments }));
    }
    await client.close();
    console.log(`${name}, ${path}: ${tools.length} tools, ${wanted.length} calls`);
}

for (const path of ['/api/v1/mcp', '/api/mcp']) {
    for (const name of names) {
        await run(name, path);
    }
}

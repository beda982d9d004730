// What every client must see, whatever its version.
import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer';

// A model receives the definitions of all tools in every conversation.
const MAX_TOKENS = 6_000;

// Returns the calls of an endpoint. Each client changes and deletes its own note, and has its own idempotency keys.
export function callsOf(calls, path, client) {
    const text = JSON.stringify(calls).replaceAll('{note}', `note-of-${client}`).replaceAll('{client}', client);
    return JSON.parse(text).filter(call => path === '/api/v1/mcp' || !call.writes);
}

// The endpoint lists exactly the tools of the calls, so that no tool remains without a call.
export function checkTools(tools, calls) {
    const called = [...new Set(calls.map(call => call.tool))];
    assert.deepEqual(tools.map(tool => tool.name).sort(), called.sort());
    const tokens = encode(JSON.stringify(tools)).length;
    assert(tokens < MAX_TOKENS, `${tokens} tokens`);
    for (const tool of tools) {
        assert(tool.title ?? tool.annotations?.title, `${tool.name} has no title`);
        assert(tool.outputSchema, `${tool.name} has no output schema`);
    }
}

export function checkAnswer(call, answer) {
    const described = `${JSON.stringify(call)}: ${JSON.stringify(answer)}`;
    assert.equal(answer.isError ?? false, call.fails ?? false, described);
    assert(answer.content.some(part => part.type === 'text' && part.text !== ''), described);
    assert(call.fails || answer.structuredContent, described);
}

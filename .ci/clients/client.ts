// Calls every operation for programs, with the types of openapi-typescript. Argument: the origin of the demo. If a GET
// route is missing here, the type check fails. If another operation is not called, the check fails at its end.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type PathOfRead = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths];

const [origin] = process.argv.slice(2);
assert(origin);
const api = createClient<paths>({ baseUrl: origin });

const record = (id: string) => ({ params: { path: { id } } });
const text = { parseAs: "text" } as const;
const reads: Record<PathOfRead, () => Promise<{ data?: unknown; response: Response }>> = {
  "/": () => api.GET("/", text),
  "/api/mcp/read/events": () => api.GET("/api/mcp/read/events"),
  "/api/mcp/read/notes": () => api.GET("/api/mcp/read/notes"),
  "/api/mcp/read/overview": () => api.GET("/api/mcp/read/overview"),
  "/api/mcp/read/shopping": () => api.GET("/api/mcp/read/shopping"),
  "/api/mcp/read/task_stats": () => api.GET("/api/mcp/read/task_stats"),
  "/api/mcp/read/tasks": () => api.GET("/api/mcp/read/tasks"),
  "/api/mcp/read/{resource}": () =>
    api.GET("/api/mcp/read/{resource}", { params: { path: { resource: "tasks" } } }),
  "/api/users/me": () => api.GET("/api/users/me"),
  "/api/users/me/calendar-feed-choices": () => api.GET("/api/users/me/calendar-feed-choices"),
  "/api/users/me/calendar-feeds": () => api.GET("/api/users/me/calendar-feeds"),
  "/api/users/me/connections": () => api.GET("/api/users/me/connections"),
  "/api/users/me/deleted": () => api.GET("/api/users/me/deleted", { params: { query: { kind: "task" } } }),
  "/api/users/me/mcp-tokens": () => api.GET("/api/users/me/mcp-tokens"),
  "/api/v1/boards": () => api.GET("/api/v1/boards"),
  "/api/v1/changes": () => api.GET("/api/v1/changes", { params: { query: { kinds: "task,event" } } }),
  "/api/v1/events/{id}": () => api.GET("/api/v1/events/{id}", record("swimming")),
  "/api/v1/me": () => api.GET("/api/v1/me"),
  "/api/v1/members": () => api.GET("/api/v1/members"),
  "/api/v1/notes/{id}": () => api.GET("/api/v1/notes/{id}", record("borscht")),
  "/api/v1/read/events": () => api.GET("/api/v1/read/events"),
  "/api/v1/read/notes": () => api.GET("/api/v1/read/notes"),
  "/api/v1/read/overview": () => api.GET("/api/v1/read/overview", { params: { query: { assignee: "me", days: 1 } } }),
  "/api/v1/read/shopping": () => api.GET("/api/v1/read/shopping"),
  "/api/v1/read/task_stats": () => api.GET("/api/v1/read/task_stats"),
  "/api/v1/read/tasks": () => api.GET("/api/v1/read/tasks", { params: { query: { completed: "all" } } }),
  "/api/v1/read/{resource}": () => api.GET("/api/v1/read/{resource}", { params: { path: { resource: "notes" } } }),
  "/api/v1/shopping-items": () => api.GET("/api/v1/shopping-items", { params: { query: { checked: "all" } } }),
  "/api/v1/shopping-items/{id}": () => api.GET("/api/v1/shopping-items/{id}", record("bread")),
  "/api/v1/shopping-lists": () => api.GET("/api/v1/shopping-lists"),
  "/api/v1/tasks": () => api.GET("/api/v1/tasks", { params: { query: { assignee: "me", limit: 5 } } }),
  "/api/v1/tasks/{id}": () => api.GET("/api/v1/tasks/{id}", record("gas-meter")),
  "/docs": () => api.GET("/docs", text),
  "/docs/{file}": () => api.GET("/docs/{file}", { params: { path: { file: "swagger-ui.css" } }, ...text }),
  "/healthz": () => api.GET("/healthz"),
  "/openapi.json": () => api.GET("/openapi.json"),
  "/readyz": () => api.GET("/readyz"),
};

const signIn = { email: "olena@kovalenko.example", password: "correct-horse" };
const signedIn = await api.POST("/login", { body: signIn });
const cookie = signedIn.response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
let token = "";
const called = new Set(["post /login"]);
api.use({
  // Only the routes of users take the session.
  onRequest({ request, schemaPath }) {
    if (schemaPath.startsWith("/api/users/")) request.headers.set("Cookie", cookie);
    else request.headers.set("Authorization", `Bearer ${token}`);
  },
  onResponse({ request, response, schemaPath }) {
    if (response.ok) called.add(`${request.method.toLowerCase()} ${schemaPath}`);
  },
});

function done<T>({ data, response }: { data?: T; response: Response }): T {
  assert(response.ok && data !== undefined, `${response.status} ${response.url}`);
  return data;
}

async function createKey(mode: Schemas["KeyMode"]): Promise<Schemas["CreatedKey"]> {
  const key = done(await api.POST("/api/users/me/mcp-tokens", { body: { mode } }));
  assert.equal(key.mode, mode);
  return key;
}

assert(done(await api.PATCH("/api/users/me", { body: { personalApiEnabled: true } })).personalApiEnabled);
token = (await createKey("v1_full")).token;

for (const [path, read] of Object.entries(reads)) {
  const { data, response } = await read();
  assert.equal(response.status, 200, path);
  assert(data !== undefined, path);
}

const state = done(await api.GET("/api/v1/changes")).newState;
const board = done(await api.POST("/api/v1/boards", { body: { name: "Garden", order: 9 } }));
const renamed = await api.PATCH("/api/v1/boards/{id}", { ...record(board.id), body: { name: "Balcony" } });
assert.equal(done(renamed).name, "Balcony");
const column = done(await api.POST("/api/v1/boards/{id}/columns", { ...record(board.id), body: { name: "Soon" } }));
done(await api.PATCH("/api/v1/columns/{id}", { ...record(column.id), body: { name: "Later" } }));

const newTask: Schemas["NewTask"] = { title: "Water the plants", priority: "HIGH", columnId: column.id };
const created = done(await api.POST("/api/v1/tasks", { body: newTask }));
assert.equal(created.priority satisfies Schemas["Priority"], "HIGH");
const task = record(created.id);
const changed = done(await api.PATCH("/api/v1/tasks/{id}", { ...task, body: { completed: true, priority: "LOW" } }));
assert(changed.completed && changed.priority === "LOW");
const daily = { completed: false, recurrence: "FREQ=DAILY" };
assert(done(await api.PATCH("/api/v1/tasks/{id}", { ...task, body: daily })).recurrence?.endsWith("RRULE:FREQ=DAILY"));
const again = done(await api.PATCH("/api/v1/tasks/{id}", { ...task, body: { completed: true } }));
assert(!again.completed && again.lastCompletedAt && again.sequence === 3);
done(await api.DELETE("/api/v1/tasks/{id}", task));
assert.equal(done(await api.POST("/api/v1/tasks/{id}/restore", task)).id, created.id);
assert.equal(done(await api.DELETE("/api/v1/tasks/{id}", task)).id, created.id);
const requests: Schemas["Batch"]["requests"] = [
  { method: "POST", url: `/tasks/${created.id}/restore` },
  { method: "DELETE", url: `/tasks/${created.id}` },
  { method: "DELETE", url: "/tasks/none" },
];
const batch = done(await api.POST("/api/v1/batch", { body: { requests } }));
assert.deepEqual(batch.responses.map(({ status }) => status), [200, 200, 404]);
assert.equal(batch.responses[0].body.id, created.id);
done(await api.DELETE("/api/v1/columns/{id}", record(column.id)));
done(await api.DELETE("/api/v1/boards/{id}", record(board.id)));

const changes = done(await api.GET("/api/v1/changes", { params: { query: { since: state } } }));
assert(changes.oldState === state && changes.newState !== state && !changes.hasMore);

const category = done(await api.POST("/api/v1/note-categories", { body: { name: "House" } }));
done(await api.PATCH("/api/v1/note-categories/{id}", { ...record(category.id), body: { name: "Home" } }));
const newNote: Schemas["NewNote"] = { title: "Bins", categoryId: category.id };
const note = record(done(await api.POST("/api/v1/notes", { body: newNote })).id);
assert(done(await api.PATCH("/api/v1/notes/{id}", { ...note, body: { pinned: true } })).pinned);
done(await api.DELETE("/api/v1/notes/{id}", note));
done(await api.POST("/api/v1/notes/{id}/restore", note));
done(await api.DELETE("/api/v1/notes/{id}", note));
done(await api.DELETE("/api/v1/note-categories/{id}", record(category.id)));

const newEvent: Schemas["NewEvent"] = { title: "Choir", startDate: "2026-12-24", endDate: "2026-12-24", allDay: true };
const event = record(done(await api.POST("/api/v1/events", { body: newEvent })).id);
assert.equal(done(await api.PATCH("/api/v1/events/{id}", { ...event, body: { location: "Hall" } })).location, "Hall");
done(await api.PATCH("/api/v1/events/{id}", { ...event, body: { recurrence: "FREQ=WEEKLY" } }));
const second = { params: { path: { ...event.params.path, start: "20261231" } } };
done(await api.PATCH("/api/v1/events/{id}/occurrences/{start}", { ...second, body: { title: "Concert" } }));
assert(done(await api.DELETE("/api/v1/events/{id}/occurrences/{start}", second)).success);
done(await api.POST("/api/v1/events/{id}/occurrences/{start}/restore", second));
done(await api.DELETE("/api/v1/events/{id}", event));
done(await api.POST("/api/v1/events/{id}/restore", event));
done(await api.DELETE("/api/v1/events/{id}", event));

const list = record(done(await api.POST("/api/v1/shopping-lists", { body: { name: "Market" } })).id);
done(await api.PATCH("/api/v1/shopping-lists/{id}", { ...list, body: { name: "Bazaar" } }));
const item = record(done(await api.POST("/api/v1/shopping-lists/{id}/items", { ...list, body: { name: "Bread" } })).id);
assert(done(await api.PATCH("/api/v1/shopping-items/{id}", { ...item, body: { checked: true } })).checked);
const checked = { params: { ...list.params, query: { checked: "true" } } } as const;
assert.equal(done(await api.DELETE("/api/v1/shopping-lists/{id}/items", checked)).ids.length, 1);
done(await api.POST("/api/v1/shopping-items/{id}/restore", item));
done(await api.DELETE("/api/v1/shopping-items/{id}", item));
done(await api.DELETE("/api/v1/shopping-lists/{id}", list));

const { id } = await createKey("mcp_read");
assert(done(await api.GET("/api/users/me/mcp-tokens")).tokens.some((key) => key.id === id));
done(await api.DELETE("/api/users/me/mcp-tokens/{id}", record(id)));

const feed = done(await api.POST("/api/users/me/calendar-feeds", { body: { name: "Family", shows: "both" } }));
const renamedFeed = { ...record(feed.id), body: { name: "Everybody" } };
assert.equal(done(await api.PATCH("/api/users/me/calendar-feeds/{id}", renamedFeed)).name, "Everybody");
done(await api.DELETE("/api/users/me/calendar-feeds/{id}", record(feed.id)));
assert(done(await api.DELETE("/api/users/me/access")).keys >= 1);

// Session routes that do what a key can do, messages of assistants, and the end of the session.
const notCalled = /InSession$|^callMcp|^signOut$/;
type Item = Record<string, { operationId: string }>;
const document = done(await api.GET("/openapi.json")) as { paths: Record<string, Item> };
const operations = Object.entries(document.paths).flatMap(([path, item]) => {
  const methods = Object.keys(item).filter((method) => !notCalled.test(item[method].operationId));
  return methods.map((method) => `${method} ${path}`);
});
// A user of the demo has no connection.
const missing = operations.filter((operation) => !called.has(operation));
assert.deepEqual(missing, ["delete /api/users/me/connections/{id}"]);
console.log(`openapi-typescript: ${operations.length - 1} operations called`);

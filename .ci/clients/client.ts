// Reads every GET route and writes a task, with the types of openapi-typescript. Arguments: the origin of the demo, and
// a key. If a GET route is missing here, the type check fails.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Task = components["schemas"]["Task"];
type PathOfRead = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths];

const [origin, token] = process.argv.slice(2);
assert(origin && token);
const api = createClient<paths>({ baseUrl: origin, headers: { Authorization: `Bearer ${token}` } });

const record = (id: string) => ({ params: { path: { id } } });
const text = { parseAs: "text" } as const;
const reads: Record<PathOfRead, () => Promise<{ data?: unknown; response: Response }>> = {
  "/": () => api.GET("/", text),
  "/api/mcp/read/events": () => api.GET("/api/mcp/read/events"),
  "/api/mcp/read/notes": () => api.GET("/api/mcp/read/notes"),
  "/api/mcp/read/shopping": () => api.GET("/api/mcp/read/shopping"),
  "/api/mcp/read/task_stats": () => api.GET("/api/mcp/read/task_stats"),
  "/api/mcp/read/tasks": () => api.GET("/api/mcp/read/tasks"),
  "/api/mcp/read/{resource}": () =>
    api.GET("/api/mcp/read/{resource}", { params: { path: { resource: "tasks" } } }),
  "/api/users/me": () => api.GET("/api/users/me"),
  "/api/users/me/connections": () => api.GET("/api/users/me/connections"),
  "/api/users/me/deleted": () => api.GET("/api/users/me/deleted", { params: { query: { kind: "task" } } }),
  "/api/users/me/mcp-tokens": () => api.GET("/api/users/me/mcp-tokens"),
  "/api/v1/boards": () => api.GET("/api/v1/boards"),
  "/api/v1/events/{id}": () => api.GET("/api/v1/events/{id}", record("swimming")),
  "/api/v1/me": () => api.GET("/api/v1/me"),
  "/api/v1/members": () => api.GET("/api/v1/members"),
  "/api/v1/notes/{id}": () => api.GET("/api/v1/notes/{id}", record("borscht")),
  "/api/v1/read/events": () => api.GET("/api/v1/read/events"),
  "/api/v1/read/notes": () => api.GET("/api/v1/read/notes"),
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
// Only the routes of users take the session.
api.use({
  onRequest({ request, schemaPath }) {
    if (!schemaPath.startsWith("/api/users/")) return;
    request.headers.delete("Authorization");
    request.headers.set("Cookie", cookie);
  },
});
for (const [path, read] of Object.entries(reads)) {
  const { data, response } = await read();
  assert.equal(response.status, 200, path);
  assert(data !== undefined, path);
}

const body: components["schemas"]["NewTask"] = { title: "Water the plants", priority: "HIGH" };
const created = await api.POST("/api/v1/tasks", { body });
assert.equal(created.data?.priority satisfies Task["priority"] | undefined, "HIGH");
const task = record(created.data!.id);
const changed = await api.PATCH("/api/v1/tasks/{id}", { ...task, body: { completed: true, priority: "LOW" } });
assert(changed.data?.completed && changed.data.priority === "LOW");
const deleted = await api.DELETE("/api/v1/tasks/{id}", task);
assert.equal(deleted.data?.id, created.data!.id);
console.log(`openapi-typescript: ${Object.keys(reads).length} GET routes read, a task written`);

"""Reads every GET route with a JSON body and writes records of each kind, with models of datamodel-code-generator.

Argument: the origin of the demo."""

import sys

import httpx
import models_of_document as models
from pydantic import TypeAdapter

# Records of the demo and a resource, by the part of the path before them.
PARAMETERS = {
    "tasks": "gas-meter",
    "notes": "borscht",
    "events": "swimming",
    "shopping-items": "bread",
    "read": "tasks",
}

(origin,) = sys.argv[1:]
with_session = httpx.Client(base_url=origin)


def main():
    global with_key
    person = models.SignIn(email="olena@kovalenko.example", password="correct-horse")
    send(with_session, "POST", "/login", models.Profile, person)
    switch = models.ProfileUpdate(personalApiEnabled=True)
    assert send(with_session, "PATCH", "/api/users/me", models.Profile, switch).personalApiEnabled
    key = create_key(models.KeyMode.v1_full)
    with_key = httpx.Client(base_url=origin, headers={"Authorization": f"Bearer {key.token}"})
    document = with_key.get("/openapi.json").json()
    count = 0
    for path, item in document["paths"].items():
        content = item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if "application/json" in content:
            read(path, model(content["application/json"]["schema"]))
            count += 1
    assert count > 20, count
    write()
    revoked = create_key(models.KeyMode.mcp_read)
    send(with_session, "DELETE", f"/api/users/me/mcp-tokens/{revoked.id.root}", models.RevokedKey)
    assert send(with_session, "DELETE", "/api/users/me/access", models.RevokedAccess).keys >= 1
    print(f"datamodel-code-generator: {count} GET routes read, every kind of record and keys written")


def read(path, expected):
    parts = path.split("/")
    if "{" in parts[-1]:
        parts[-1] = PARAMETERS[parts[-2]]
    client = with_session if path.startswith("/api/users/me") else with_key
    send(client, "GET", "/".join(parts), expected)


def model(schema):
    """Returns the type of a response. The generator makes a model only of a schema with a name."""
    if "anyOf" in schema:
        union = model(schema["anyOf"][0])
        for branch in schema["anyOf"][1:]:
            union |= model(branch)
        return union
    if schema.get("type") == "array":
        return list[model(schema["items"])]
    return getattr(models, schema["$ref"].split("/")[-1]) if "$ref" in schema else dict


def send(client, method, path, expected, body=None):
    """Sends a request, and returns the answer as this type."""
    content = None if body is None else body.model_dump(mode="json", exclude_unset=True)
    response = client.request(method, path, json=content)
    assert response.is_success, (method, path, response.text)
    return TypeAdapter(expected).validate_json(response.content)


def create_key(mode):
    key = send(with_session, "POST", "/api/users/me/mcp-tokens", models.CreatedKey, models.KeyDraft(mode=mode))
    assert key.mode is mode
    return key


def write():
    state = send(with_key, "GET", "/api/v1/changes", models.ChangeList).newState
    board = create("boards", models.Board, models.NewBoard(name="Garden", order=9))
    change("boards", board, models.BoardUpdate(name="Balcony"))
    column = create(f"boards/{board.id.root}/columns", models.Column, models.NewColumn(name="Soon"))
    change("columns", column, models.ColumnUpdate(name="Later"))
    new = models.NewTask(title="Water the plants", priority=models.Priority.HIGH, columnId=column.id.root)
    task = create("tasks", models.Task, new)
    assert task.priority is models.Priority.HIGH
    task = change("tasks", task, models.TaskFields(completed=True, priority=models.Priority.LOW))
    assert task.completed and task.priority is models.Priority.LOW
    task = change("tasks", task, models.TaskFields(completed=False, recurrence="FREQ=DAILY"))
    task = change("tasks", task, models.TaskFields(completed=True))
    assert not task.completed and task.lastCompletedAt
    assert task.sequence == 3
    changes = send(with_key, "GET", f"/api/v1/changes?kinds=task,board&since={state}", models.ChangeList)
    assert [type(it.record) for it in changes.changed] == [models.Board, models.Task], changes
    assert changes.changed[1].record == task
    delete_and_restore("tasks", task)
    delete("columns", column)
    delete("boards", board)

    category = create("note-categories", models.NoteCategory, models.NewNoteCategory(name="House"))
    change("note-categories", category, models.NoteCategoryUpdate(name="Home"))
    note = create("notes", models.Note, models.NewNote(title="Bins", categoryId=category.id.root))
    change("notes", note, models.NoteUpdate(pinned=True))
    delete_and_restore("notes", note)
    delete("note-categories", category)

    new = models.NewEvent(title="Choir", startDate="2026-12-24", endDate="2026-12-24", allDay=True)
    event = create("events", models.Event, new)
    change("events", event, models.EventUpdate(location="Hall"))
    delete_and_restore("events", event)

    shopping = create("shopping-lists", models.ShoppingList, models.NewShoppingList(name="Market"))
    change("shopping-lists", shopping, models.ShoppingListUpdate(name="Bazaar"))
    items = f"shopping-lists/{shopping.id.root}/items"
    item = create(items, models.ShoppingItem, models.NewShoppingItem(name="Bread"))
    assert change("shopping-items", item, models.ShoppingItemUpdate(checked=True)).checked
    assert send(with_key, "DELETE", f"/api/v1/{items}?checked=true", models.DeletedItems).ids == [item.id]
    assert send(with_key, "POST", f"/api/v1/shopping-items/{item.id.root}/restore", models.ShoppingItem).id == item.id
    delete("shopping-items", item)
    delete("shopping-lists", shopping)


def create(collection, expected, body):
    return send(with_key, "POST", f"/api/v1/{collection}", expected, body)


def change(collection, record, body):
    return send(with_key, "PATCH", f"/api/v1/{collection}/{record.id.root}", type(record), body)


def delete(collection, record):
    deleted = send(with_key, "DELETE", f"/api/v1/{collection}/{record.id.root}", models.Deleted)
    assert deleted.success and deleted.id == record.id.root


def delete_and_restore(collection, record):
    delete(collection, record)
    path = f"/api/v1/{collection}/{record.id.root}/restore"
    assert send(with_key, "POST", path, type(record)).id == record.id
    delete(collection, record)


main()

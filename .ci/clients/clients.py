"""Calls every operation for programs, with the client of openapi-python-client.

Argument: the origin of the demo."""

import importlib
import inspect
import pkgutil
import re
import sys

import family.api
from family import AuthenticatedClient, Client, models

# Records of the demo, by the path of their kind, and a file of the documentation page.
PARAMETERS = {
    "tasks": "gas-meter",
    "notes": "borscht",
    "events": "swimming",
    "shopping-items": "bread",
    "docs": "swagger-ui.css",
}
# Session routes that do what a key can do, messages of assistants, and the end of the session.
NOT_CALLED = re.compile(r"\w+InSession|callMcp(OnReadPath)?|signOut")

(origin,) = sys.argv[1:]
called = set()


def record(response):
    if response.status_code < 400:
        called.add((response.request.method.lower(), response.request.url.path))


hooks = {"event_hooks": {"response": [record]}}
options = {"base_url": origin, "raise_on_unexpected_status": True, "httpx_args": hooks}
with_session = Client(**options)
modules = {}
for found in pkgutil.walk_packages(family.api.__path__, "family.api."):
    module = importlib.import_module(found.name)
    if hasattr(module, "sync_detailed"):
        modules[found.name.split(".")[-1]] = module


def main():
    person = models.SignIn(email="olena@kovalenko.example", password="correct-horse")
    # The generator sends the form instead of the JSON, because both have one schema. The redirect sets the cookie.
    assert modules["sign_in"].sync_detailed(client=with_session, body=person).status_code == 303
    global with_key
    call("update_profile", body=models.ProfileUpdate(personal_api_enabled=True))
    key = call("create_key", body=models.KeyDraft(mode=models.KeyMode.V1_FULL, name="openapi-python-client"))
    assert key.mode is models.KeyMode.V1_FULL
    with_key = AuthenticatedClient(token=key.token, **options)
    for module in modules.values():
        if is_read(module):
            read(module)
    write()
    manage_keys()
    operations = [
        (method, path)
        for path, item in with_session.get_httpx_client().get("/openapi.json").json()["paths"].items()
        for method, operation in item.items()
        if not NOT_CALLED.fullmatch(operation["operationId"])
    ]
    # A user of the demo has no connection.
    missing = {it for it in operations if not any(matches(it, url) for url in called)}
    assert missing == {("delete", "/api/users/me/connections/{id}")}, missing
    print(f"openapi-python-client: {len(operations) - 1} operations called")


def is_read(module):
    parameters = inspect.signature(module._get_kwargs).parameters.values()
    is_required = [it.kind is it.KEYWORD_ONLY and it.default is it.empty for it in parameters]
    return not any(is_required) and request(module, "x")["method"] == "get"


def path_parameters(module):
    parameters = inspect.signature(module._get_kwargs).parameters.values()
    return [it for it in parameters if it.kind is it.POSITIONAL_OR_KEYWORD]


def request(module, value):
    return module._get_kwargs(*[value for _ in path_parameters(module)])


def read(module):
    values = [None]
    for parameter in path_parameters(module):
        if parameter.annotation is str:
            collection = request(module, "x")["url"].split("/")[-2]
            values = [PARAMETERS[collection]]
        else:
            values = list(parameter.annotation)
    for value in values:
        arguments = [value] if value else []
        url = request(module, value)["url"]
        response = module.sync_detailed(*arguments, client=client_of(url))
        if response.status_code == 200:
            succeeded(response)
        else:
            assert (response.status_code, url) == (308, "/docs"), response


def client_of(url):
    return with_session if url.startswith("/api/users/me") else with_key


def matches(operation, request):
    pattern = re.sub(r"\{[a-z]+\}", "[^/]+", operation[1])
    return operation[0] == request[0] and re.fullmatch(pattern, request[1])


def succeeded(response):
    assert response.status_code in (200, 201), response
    assert response.parsed is not None and not isinstance(response.parsed, models.Problem), response
    return response.parsed


def call(operation, *ids, **arguments):
    module = modules[operation]
    url = module._get_kwargs(*ids, **arguments)["url"]
    return succeeded(module.sync_detailed(*ids, client=client_of(url), **arguments))


def write():
    state = call("list_changes").new_state
    board = call("create_board", body=models.NewBoard(name="Garden", order=9))
    assert call("update_board", board.id, body=models.BoardUpdate(name="Balcony")).name == "Balcony"
    column = call("create_column", board.id, body=models.NewColumn(name="Soon"))
    assert call("update_column", column.id, body=models.ColumnUpdate(name="Later")).board_id == board.id
    new = models.NewTask(title="Water the plants", priority=models.Priority.HIGH, column_id=column.id)
    task = call("create_task", body=new)
    assert task.priority is models.Priority.HIGH
    change = models.TaskFields(completed=True, priority=models.Priority.LOW)
    task = call("update_task", task.id, body=change)
    assert task.completed and task.priority is models.Priority.LOW
    daily = models.TaskFields(completed=False, recurrence="FREQ=DAILY")
    assert call("update_task", task.id, body=daily).recurrence.endswith("RRULE:FREQ=DAILY")
    task = call("update_task", task.id, body=change)
    assert not task.completed and task.last_completed_at
    assert task.sequence == 3
    changes = call("list_changes", since=state, kinds="task,board")
    assert [type(it.record) for it in changes.changed] == [models.Board, models.Task], changes
    assert changes.changed[1].record.last_completed_at == task.last_completed_at
    delete_and_restore("task", task)
    requests = [
        {"method": "POST", "url": f"/tasks/{task.id}/restore"},
        {"method": "DELETE", "url": f"/tasks/{task.id}", "ifMatch": None},
        {"method": "DELETE", "url": "/tasks/none"},
    ]
    batch = call("send_batch", body=models.Batch.from_dict({"requests": requests}))
    assert [it.status for it in batch.responses] == [200, 200, 404]
    assert batch.responses[0].body.to_dict()["id"] == task.id
    call("delete_column", column.id)
    call("delete_board", board.id)

    category = call("create_note_category", body=models.NewNoteCategory(name="House"))
    assert call("update_note_category", category.id, body=models.NoteCategoryUpdate(name="Home")).name == "Home"
    note = call("create_note", body=models.NewNote(title="Bins", category_id=category.id))
    assert call("update_note", note.id, body=models.NoteUpdate(pinned=True)).pinned
    delete_and_restore("note", note)
    call("delete_note_category", category.id)

    new = models.NewEvent(title="Choir", start_date="2026-12-24", end_date="2026-12-24", all_day=True)
    event = call("create_event", body=new)
    assert call("update_event", event.id, body=models.EventUpdate(location="Hall")).location == "Hall"
    call("update_event", event.id, body=models.EventUpdate(recurrence="FREQ=WEEKLY"))
    call("update_occurrence", event.id, "20261231", body=models.OccurrenceUpdate(title="Concert"))
    assert call("delete_occurrence", event.id, "20261231").success
    assert call("restore_occurrence", event.id, "20261231").recurrence == "FREQ=WEEKLY"
    delete_and_restore("event", event)

    shopping = call("create_shopping_list", body=models.NewShoppingList(name="Market"))
    assert call("update_shopping_list", shopping.id, body=models.ShoppingListUpdate(name="Bazaar")).name == "Bazaar"
    item = call("create_shopping_item", shopping.id, body=models.NewShoppingItem(name="Bread"))
    assert call("update_shopping_item", item.id, body=models.ShoppingItemUpdate(checked=True)).checked
    checked = call("delete_checked_items", shopping.id, checked=models.CheckedOnly.TRUE)
    assert checked.ids == [item.id]
    call("restore_shopping_item", item.id)
    call("delete_shopping_item", item.id)
    call("delete_shopping_list", shopping.id)


def delete_and_restore(kind, record):
    assert call(f"delete_{kind}", record.id).id == record.id
    assert call(f"restore_{kind}", record.id).id == record.id
    assert call(f"delete_{kind}", record.id).success


def manage_keys():
    key = call("create_key", body=models.KeyDraft(mode=models.KeyMode.MCP_READ))
    assert key.id in [it.id for it in call("list_keys").tokens]
    call("revoke_key", key.id)
    assert len(call("list_feed_choices").persons) >= 2
    feed = call("create_feed", body=models.FeedDraft(name="Family"))
    assert call("update_feed", feed.id, body=models.FeedUpdate(name="Everybody")).name == "Everybody"
    assert feed.id in [it.id for it in call("list_feeds").feeds]
    call("end_feed", feed.id)
    assert call("revoke_access").keys >= 1


main()

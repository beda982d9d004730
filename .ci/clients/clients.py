"""Reads every GET route and writes a task, with the client of openapi-python-client.

Arguments: the origin of the demo, and a key."""

import importlib
import inspect
import pkgutil
import re
import sys

import family.api
from family import AuthenticatedClient, Client
from family.api.personal_api import create_task, delete_task, update_task
from family.api.sign_in import sign_in
from family.models import NewTask, NewTaskPriority, Priority, Problem, SignIn, TaskFields, TaskFieldsPriority

# Records of the demo, by the path of their kind, and a file of the documentation page.
PARAMETERS = {
    "tasks": "gas-meter",
    "notes": "borscht",
    "events": "swimming",
    "shopping-items": "bread",
    "docs": "swagger-ui.css",
}

origin, token = sys.argv[1:]
with_key = AuthenticatedClient(base_url=origin, token=token, raise_on_unexpected_status=True)
with_session = Client(base_url=origin, raise_on_unexpected_status=True)


def main():
    person = SignIn(email="olena@kovalenko.example", password="correct-horse")
    # The generator sends the form instead of the JSON, because both have one schema. The redirect sets the cookie.
    assert sign_in.sync_detailed(client=with_session, body=person).status_code == 303
    urls = {url for module in modules() for url in read(module)}
    paths = with_session.get_httpx_client().get("/openapi.json").json()["paths"]
    gets = [path for path, item in paths.items() if "get" in item]
    unread = [path for path in gets if not any(matches(path, url) for url in urls)]
    assert gets and not unread, unread
    write()
    print(f"openapi-python-client: {len(gets)} GET routes read, a task written")


def modules():
    for found in pkgutil.walk_packages(family.api.__path__, "family.api."):
        module = importlib.import_module(found.name)
        if not hasattr(module, "sync_detailed"):
            continue
        parameters = inspect.signature(module._get_kwargs).parameters.values()
        is_required = [it.kind is it.KEYWORD_ONLY and it.default is it.empty for it in parameters]
        if not any(is_required) and request(module, "x")["method"] == "get":
            yield module


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
        client = with_session if url.startswith("/api/users/me") else with_key
        response = module.sync_detailed(*arguments, client=client)
        if response.status_code == 200:
            succeeded(response)
        else:
            assert (response.status_code, url) == (308, "/docs"), response
        yield url


def matches(path, url):
    return re.fullmatch(re.sub(r"\{[a-z]+\}", "[^/]+", path), url)


def succeeded(response):
    assert response.status_code in (200, 201), response
    assert response.parsed is not None and not isinstance(response.parsed, Problem), response
    return response.parsed


def write():
    new = NewTask(title="Water the plants", priority=NewTaskPriority.HIGH)
    task = succeeded(create_task.sync_detailed(client=with_key, body=new))
    assert task.priority is Priority.HIGH
    change = TaskFields(completed=True, priority=TaskFieldsPriority.LOW)
    task = succeeded(update_task.sync_detailed(task.id, client=with_key, body=change))
    assert task.completed and task.priority is Priority.LOW
    succeeded(delete_task.sync_detailed(task.id, client=with_key))


main()

"""Reads every GET route with a JSON body and writes a task, with the models of datamodel-code-generator.

Arguments: the origin of the demo, and a key."""

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

origin, token = sys.argv[1:]
with_key = httpx.Client(base_url=origin, headers={"Authorization": f"Bearer {token}"})
with_session = httpx.Client(base_url=origin)


def main():
    person = models.SignIn(email="olena@kovalenko.example", password="correct-horse")
    with_session.post("/login", json=as_json(person)).raise_for_status()
    document = with_key.get("/openapi.json").json()
    count = 0
    for path, item in document["paths"].items():
        content = item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if "application/json" in content:
            read(path, model(content["application/json"]["schema"]))
            count += 1
    assert count > 20, count
    write()
    print(f"datamodel-code-generator: {count} GET routes read, a task written")


def read(path, expected):
    parts = path.split("/")
    if "{" in parts[-1]:
        parts[-1] = PARAMETERS[parts[-2]]
    client = with_session if path.startswith("/api/users/me") else with_key
    response = client.get("/".join(parts)).raise_for_status()
    TypeAdapter(expected).validate_json(response.content)


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


def as_json(body):
    return body.model_dump(mode="json", exclude_unset=True)


def write():
    new = models.NewTask(title="Water the plants", priority=models.Priority.HIGH)
    task = models.Task.model_validate_json(with_key.post("/api/v1/tasks", json=as_json(new)).content)
    assert task.priority is models.Priority.HIGH
    path = f"/api/v1/tasks/{task.id.root}"
    change = models.TaskFields(completed=True, priority=models.Priority.LOW)
    task = models.Task.model_validate_json(with_key.patch(path, json=as_json(change)).content)
    assert task.completed and task.priority is models.Priority.LOW
    with_key.delete(path).raise_for_status()


main()

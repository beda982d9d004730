//! The definitions of the tools: annotations, schemas, size and order.

use serde_json::{Value, json};

use crate::client::{V1, mcp, result};
use crate::storages::{OnStorage, StorageKind};
use crate::support::App;

/// About 5,000 tokens.
const MAX_BYTES: usize = 16 * 1024;

async fn tools() -> Vec<Value> {
    let app = mcp(&App::on(StorageKind::Memory).await);
    let list = result(&app, "ann-rw", V1, "tools/list", json!({})).await;
    let again = result(&app, "ann-rw", V1, "tools/list", json!({})).await;
    assert_eq!(list.to_string(), again.to_string());
    list["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn every_tool_has_a_title_annotations_and_strict_schemas() {
    for tool in tools().await {
        let name = tool["name"].as_str().unwrap();
        assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() < 400), "{name}");
        let reads = ["get_", "list_", "search_"].iter().any(|verb| name.starts_with(verb));
        let annotations = json!({
            "readOnlyHint": reads, "destructiveHint": name == "delete_note", "idempotentHint": true,
            "openWorldHint": false,
        });
        assert_eq!(tool["annotations"], annotations, "{name}");
        let input = &tool["inputSchema"];
        assert_eq!((&input["type"], &input["additionalProperties"]), (&json!("object"), &json!(false)), "{name}");
        for required in input["required"].as_array().into_iter().flatten() {
            assert!(input["properties"].get(required.as_str().unwrap()).is_some(), "{name} {required}");
        }
        let output = &tool["outputSchema"];
        assert_eq!(output["type"], "object", "{name}");
        assert!(output["properties"].as_object().is_some_and(|properties| !properties.is_empty()), "{name}");
    }
}

#[tokio::test]
async fn all_definitions_fit_into_16_kib() {
    let tools = tools().await;
    let size: usize = tools.iter().map(|tool| tool.to_string().len()).sum();
    let sizes: Vec<String> = tools.iter().map(|tool| format!("{} {}", tool["name"], tool.to_string().len())).collect();
    assert!(size <= MAX_BYTES, "{size} bytes: {sizes:?}");
}

#[tokio::test]
async fn arguments_are_those_of_the_reference() {
    let expected = [
        ("get_overview", &[][..]),
        (
            "list_tasks",
            &[
                "assignee",
                "board_id",
                "column_id",
                "cursor",
                "due_from",
                "due_to",
                "limit",
                "overdue",
                "status",
                "text",
            ],
        ),
        ("get_task", &["id", "offset"]),
        ("list_events", &["cursor", "from", "limit", "text", "to"]),
        ("list_shopping", &["cursor", "include_checked", "list_id"]),
        ("search_notes", &["cursor", "limit", "tag", "text"]),
        ("get_note", &["id", "offset"]),
        (
            "update_task",
            &[
                "assigneeId",
                "columnId",
                "completed",
                "description",
                "dueDate",
                "id",
                "if_match",
                "isPrivate",
                "labels",
                "order",
                "priority",
                "title",
            ],
        ),
        ("complete_tasks", &["completed", "ids"]),
        ("move_task", &["column_id", "id", "order"]),
        ("update_note", &["categoryId", "color", "content", "emoji", "id", "if_match", "pinned", "tags", "title"]),
        ("delete_note", &["id", "if_match"]),
    ];
    let tools = tools().await;
    assert_eq!(tools.len(), expected.len());
    for (tool, (name, arguments)) in tools.iter().zip(expected) {
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!((tool["name"].as_str(), names.as_slice()), (Some(name), arguments));
    }
}

#[tokio::test]
async fn schemas_have_only_formats_of_json_schema() {
    for tool in tools().await {
        let schemas = tool["inputSchema"].to_string() + &tool["outputSchema"].to_string();
        let formats: Vec<&str> =
            schemas.split("\"format\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(formats.iter().all(|format| ["date", "date-time"].contains(format)), "{} {formats:?}", tool["name"]);
    }
}

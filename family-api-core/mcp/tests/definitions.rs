//! The definitions of the tools: annotations, schemas, size and order.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::{BulkLoad, Record};
use family_api_core::{Endpoint, FamilyApi, Surface};
use family_api_mcp::ToolContext;
use family_api_memory::MemoryStorage;
use serde_json::{Value, json};

/// Maximum size of the tools of a key of mode `v1_read_write`: about 3,000 tokens.
const MAX_BYTES: usize = 12 * 1024;

/// Maximum size of the tools of a key of mode `v1_full`, which has 14 tools more: about 6,000 tokens. Most clients send
/// their models only the names, descriptions and input schemas: two thirds of it.
const MAX_FULL_BYTES: usize = 24_000;

/// Creates a key and returns the definitions of the tools that a request with it may call.
async fn tools(mode: KeyMode) -> Vec<Value> {
    let storage = MemoryStorage::new();
    let mut load = storage.begin_load().await.unwrap();
    let at = "2026-01-01T00:00:00Z";
    let user = json!({
        "type": "user", "id": "ann", "familyId": "berg", "name": "Ann", "email": "ann@example.org",
        "displayCurrency": "EUR", "timeZone": "Europe/Madrid", "personalApiEnabled": true, "llmKeyConfigured": false,
        "createdAt": at, "updatedAt": at,
    });
    let family = json!({ "type": "family", "id": "berg", "name": "Berg", "createdAt": at, "updatedAt": at });
    for record in [family, user] {
        load.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    load.commit().await.unwrap();
    let api = FamilyApi::builder(Arc::new(storage)).full_access(true).build();
    let ann = api.session_caller(&"ann".parse::<UserId>().unwrap().into()).await.unwrap();
    let key = api.keys(&ann).unwrap().create(KeyDraft::new(mode)).await.unwrap().token;
    let header = format!("Bearer {}", key.expose());
    let caller = api.admit([header.as_bytes()], Surface::V1, Endpoint::Mcp).await.caller.unwrap();
    let context = ToolContext::new(api, caller, |fault| panic!("{fault}"));
    let definitions = context.definitions(Surface::V1);
    definitions.iter().map(|definition| serde_json::to_value(definition).unwrap()).collect()
}

#[tokio::test]
async fn every_tool_has_a_title_annotations_and_strict_schemas() {
    for tool in tools(KeyMode::V1Full).await {
        let name = tool["name"].as_str().unwrap();
        assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() < 400), "{name}");
        let reads = ["find_", "get_", "list_", "search_"].iter().any(|verb| name.starts_with(verb));
        let overwrites = ["delete_", "update_"].iter().any(|verb| name.starts_with(verb));
        let adds = name.starts_with("add_") || ["complete_tasks", "update_tasks", "update_notes"].contains(&name);
        let annotations = json!({
            "readOnlyHint": reads, "destructiveHint": overwrites, "idempotentHint": !adds, "openWorldHint": false,
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
async fn definitions_of_each_mode_are_small() {
    for (mode, max) in [(KeyMode::V1ReadWrite, MAX_BYTES), (KeyMode::V1Full, MAX_FULL_BYTES)] {
        let tools = tools(mode).await;
        let size: usize = tools.iter().map(|tool| tool.to_string().len()).sum();
        let sizes: Vec<String> =
            tools.iter().map(|tool| format!("{} {}", tool["name"], tool.to_string().len())).collect();
        assert!(size <= max, "{size} bytes: {sizes:?}");
    }
}

#[tokio::test]
async fn deletions_say_whether_they_can_be_undone() {
    for (mode, count) in [(KeyMode::V1ReadWrite, 1), (KeyMode::V1Full, 5)] {
        let deletions: Vec<Value> = tools(mode)
            .await
            .into_iter()
            .filter(|tool| tool["name"].as_str().unwrap().starts_with("delete_"))
            .collect();
        assert_eq!(deletions.len(), count);
        for tool in deletions {
            let can_be_undone = tool["name"] != "delete_containers";
            let undo = if can_be_undone { "It can be restored for 30 days." } else { "It cannot be undone." };
            assert!(tool["description"].as_str().unwrap().ends_with(undo), "{tool}");
        }
    }
}

#[tokio::test]
async fn schemas_have_only_formats_of_json_schema() {
    for tool in tools(KeyMode::V1Full).await {
        let schemas = tool["inputSchema"].to_string() + &tool["outputSchema"].to_string();
        let formats: Vec<&str> =
            schemas.split("\"format\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(formats.iter().all(|format| ["date", "date-time"].contains(format)), "{} {formats:?}", tool["name"]);
    }
}

#[tokio::test]
async fn schemas_have_one_type_for_each_value_and_one_spelling() {
    fn check(tool: &Value, schema: &Value) {
        match schema {
            Value::Object(members) => {
                if let Some(properties) = members.get("properties").and_then(Value::as_object) {
                    assert!(properties.keys().all(|name| !name.contains('_')), "{tool} {properties:?}");
                }
                assert!(!matches!(members.get("type"), Some(Value::Array(_))), "{tool} {schema}");
                members.values().for_each(|member| check(tool, member));
            }
            Value::Array(elements) => elements.iter().for_each(|element| check(tool, element)),
            _ => {}
        }
    }
    for tool in tools(KeyMode::V1Full).await {
        check(&tool["name"], &tool["inputSchema"]);
        check(&tool["name"], &tool["outputSchema"]);
        let arguments = tool["inputSchema"].to_string();
        assert!(!arguments.contains("Id\":"), "{arguments}");
    }
}

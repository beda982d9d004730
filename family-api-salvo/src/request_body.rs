//! The schemas of request bodies, with an example that any server accepts. Core derives them from the declarations that
//! also parse the bodies.

use std::borrow::Cow;

use family_api_core::FamilyApi;
use family_api_core::batch::Batch;
use family_api_core::change::{Editable, EventUpdate, ProfileChange};
use family_api_core::feed::{FeedDraft, FeedUpdate};
use family_api_core::key::KeyDraft;
use family_api_core::resource::Event;
use schemars::JsonSchema;
use serde_json::Value;
#[cfg(feature = "mcp")]
use serde_json::json;

/// The schema of a request body, and its name in the OpenAPI document.
#[derive(Clone)]
pub(crate) struct RequestBody {
    pub(crate) name: Cow<'static, str>,
    pub(crate) schema: fn(&FamilyApi) -> Value,
}

impl RequestBody {
    pub(crate) const PROFILE_UPDATE: Self = Self { name: Cow::Borrowed("ProfileUpdate"), schema: profile_update };
    #[cfg(feature = "mcp")]
    pub(crate) const MCP_MESSAGE: Self = Self { name: Cow::Borrowed("McpMessage"), schema: |_| mcp_message() };
    pub(crate) const KEY_DRAFT: Self =
        Self { name: Cow::Borrowed("KeyDraft"), schema: |api| KeyDraft::schema(api.key_modes()) };

    pub(crate) const FEED_DRAFT: Self = Self { name: Cow::Borrowed("FeedDraft"), schema: |_| FeedDraft::schema() };

    pub(crate) const FEED_UPDATE: Self = Self { name: Cow::Borrowed("FeedUpdate"), schema: |_| FeedUpdate::schema() };

    pub(crate) const BATCH: Self = Self { name: Cow::Borrowed("Batch"), schema: |_| Batch::schema() };

    pub(crate) const OCCURRENCE_UPDATE: Self = Self {
        name: Cow::Borrowed("OccurrenceUpdate"),
        schema: |api| kept_fields_of::<Event>(api, EventUpdate::occurrence_schema()),
    };

    /// Returns the body that creates a record.
    pub(crate) fn of_new<R: Editable + JsonSchema>() -> Self {
        let name = format!("New{}", R::schema_name());
        Self { name: name.into(), schema: |api| kept_fields_of::<R>(api, R::new_schema()) }
    }

    /// Returns the body that changes a record.
    pub(crate) fn of_update<R: Editable + JsonSchema>() -> Self {
        let name = format!("{}Update", R::schema_name());
        Self { name: name.into(), schema: |api| kept_fields_of::<R>(api, R::update_schema()) }
    }
}

fn profile_update(api: &FamilyApi) -> Value {
    // No application lacks the personal API.
    let is_kept = |name: &str| name == "personalApiEnabled" || api.capabilities().keeps_profile_field(name);
    kept_fields(ProfileChange::schema(), &is_kept)
}

fn kept_fields_of<R: Editable>(api: &FamilyApi, schema: Value) -> Value {
    // `type` distinguishes forms of a body and is no field of a record.
    kept_fields(schema, &|name| name == "type" || api.capabilities().keeps_field(R::KIND, name))
}

/// Removes the fields that the storage does not keep, also from the example. Removes the forms of a body that require
/// such a field.
fn kept_fields(mut schema: Value, is_kept: &dyn Fn(&str) -> bool) -> Value {
    if let Some(forms) = schema.get_mut("oneOf").and_then(Value::as_array_mut) {
        forms.retain(|form| {
            let required = form["required"].as_array().into_iter().flatten();
            required.filter_map(Value::as_str).all(is_kept)
        });
        *forms = forms.drain(..).map(|form| kept_fields(form, is_kept)).collect();
    }
    for fields in ["properties", "example"] {
        if let Some(fields) = schema.get_mut(fields).and_then(Value::as_object_mut) {
            fields.retain(|name, _| is_kept(name));
        }
    }
    schema
}

#[cfg(feature = "mcp")]
fn mcp_message() -> Value {
    json!({
        "type": "object",
        "description": "A message of the Model Context Protocol: a JSON-RPC 2.0 request or notification.",
        "properties": {
            "jsonrpc": { "const": "2.0" },
            "id": { "type": ["string", "integer"], "maxLength": 256 },
            "method": { "type": "string" },
            "params": { "type": "object" },
        },
        "required": ["jsonrpc", "method"],
        "example": { "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "get_overview" } },
    })
}

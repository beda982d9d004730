#![doc = include_str!("../README.md")]
//!
//! # Example: list the tools and call one
//!
//! A transport needs four steps for each request. It admits the token, lists the tools or finds one, calls it, and
//! converts the answer to a message of its protocol.
//!
//! ```
//! # use std::sync::Arc;
//! # use family_api_core::storage::{BulkLoad, Record};
//! # use family_api_memory::MemoryStorage;
//! # use family_api_core::{FamilyApi, id::UserId, key::{KeyDraft, KeyMode}};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let storage = MemoryStorage::new();
//! # let mut load = storage.begin_load().await?;
//! # for line in [
//! #     r#"{"type":"family","id":"f1","name":"Rivera","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! #     r#"{"type":"user","id":"ana","familyId":"f1","name":"Ana","email":"ana@example.org","displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmKeyConfigured":false,"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#,
//! # ] {
//! #     load.insert(Record::from_json(line.as_bytes())?).await?;
//! # }
//! # load.commit().await?;
//! # let api = FamilyApi::builder(Arc::new(storage)).full_access(true).build();
//! # let ana = api.session_caller(&"ana".parse::<UserId>()?.into()).await?;
//! # let key = api.keys(&ana)?.create(KeyDraft::new(KeyMode::V1Full)).await?.token;
//! use family_api_core::validation::Json;
//! use family_api_core::{Endpoint, Surface};
//! use family_api_mcp::{ToolContext, ToolError};
//!
//! // `api` is a `FamilyApi`, and Ana has created a key with all scopes.
//! let header = format!("Bearer {}", key.expose());
//! let caller = api.admit([header.as_bytes()], Surface::V1, Endpoint::Mcp).await.caller?;
//! let context = ToolContext::new(api, caller, |fault| eprintln!("{fault}"));
//!
//! let definitions = serde_json::to_value(context.definitions(Surface::V1))?;
//! assert_eq!(definitions[0]["name"], "get_overview");
//!
//! let tool = context.find("add_note").ok_or("unknown tool")?;
//! let arguments = Json::parse(br#"{"title": "Plumber", "content": "555 0123"}"#)?;
//! let (structured, text) = tool.call(&context, arguments).await?.into_parts();
//! assert!(structured.get().contains(r#""changed":1"#));
//! assert!(text.starts_with("Notes added: 1 of 1."));
//!
//! // The model gets a sentence that says how to correct the call.
//! let wrong = tool.call(&context, Json::parse(br#"{"colour": "red"}"#)?).await;
//! assert!(matches!(wrong, Err(ToolError::Correctable(text)) if text.contains("A new note has these fields")));
//! # Ok(())
//! # }
//! ```

mod answer;
mod arguments;
mod context;
mod error;
mod handler;
mod instant;
mod instructions;
mod named_days;
mod names;
mod read;
mod records;
mod registry;
mod write;

pub use answer::Answer;
pub use context::ToolContext;
pub use error::ToolError;
pub use handler::Definition;
pub use registry::Tool;

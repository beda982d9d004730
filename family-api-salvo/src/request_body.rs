//! The schemas of request bodies, which core derives from the declarations that also parse the bodies.

use family_api_core::change::{NoteUpdate, ProfileChange, TaskUpdate};
use family_api_core::key::KeyDraft;
use serde_json::Value;

/// The schema of a request body, and its name in the OpenAPI document.
pub(crate) struct RequestBody {
    pub(crate) name: &'static str,
    pub(crate) schema: fn() -> Value,
}

impl RequestBody {
    pub(crate) const TASK_UPDATE: Self = Self { name: "TaskUpdate", schema: TaskUpdate::schema };
    pub(crate) const NOTE_UPDATE: Self = Self { name: "NoteUpdate", schema: NoteUpdate::schema };
    pub(crate) const PROFILE_UPDATE: Self = Self { name: "ProfileUpdate", schema: ProfileChange::schema };
    pub(crate) const KEY_DRAFT: Self = Self { name: "KeyDraft", schema: KeyDraft::schema };
}

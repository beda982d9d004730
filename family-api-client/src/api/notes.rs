//! Calls that change notes.

use std::sync::Arc;

use family_api_core::change::NoteChange;
use family_api_core::id::NoteId;
use family_api_core::resource::{DeletedNote, Note};

use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, Versioned};

/// Calls that change notes. A token needs the scope `v1.notes.write`.
#[derive(Debug, Clone)]
pub struct NotesApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) path: fn(&NoteId) -> String,
}

impl NotesApi {
    /// Updates the fields that the change names. If a field is invalid, updates nothing. Returns the updated note.
    pub fn update(&self, note: &NoteId, change: NoteChange) -> Call<Versioned<Note>> {
        Call::update(&self.transport, Request::patch((self.path)(note), change))
    }

    /// Deletes a note.
    pub fn delete(&self, note: &NoteId) -> Call<DeletedNote> {
        Call::new(&self.transport, Request::delete((self.path)(note)))
    }
}

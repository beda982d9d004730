//! The changes since a state.

use std::sync::Arc;

use tracing::instrument;

use crate::error::Error;
use crate::query::{ChangeRequest, Followed, INVALID_KINDS, State};
use crate::resource::{ChangeList, RecordKind};
use crate::service::ReadService;
use crate::service::storage_call::StorageCall;
use crate::storage::{ChangesQuery, FoundChanges, RecordChanges};

/// Maximum size of the changed records of a response, in bytes. Only the changes of one write can be larger.
const MAX_BYTES: usize = 4 * 1024 * 1024;

impl ReadService<'_> {
    /// Returns the state at the beginning of the request, with all kinds of records. A caller that reads everything, and
    /// then asks for the changes since the state of the first read, misses no change. `None` if the storage keeps no
    /// changes.
    #[must_use]
    pub fn state(&self) -> Option<State> {
        let kinds = RecordKind::ALL.into_iter().filter(|kind| self.api.capabilities.keeps_kind(*kind));
        self.state_of(kinds.collect())
    }

    fn state_of(&self, kinds: Vec<RecordKind>) -> Option<State> {
        let revision = self.caller.revision().filter(|_| self.api.capabilities.keeps_changes())?;
        Some(Followed { revision, kinds }.state(&self.caller.member().ok()?))
    }

    /// Returns the changes since a state, as the caller sees them. Without a state, returns only the current one. Needs
    /// no storage call if nothing has changed, and one otherwise, unless the changed records are very large.
    ///
    /// A changed record is as it is when it is read, so it can be newer than the new state. A later response then
    /// contains it again.
    ///
    /// # Errors
    /// - [`Error::SyncExpired`] if the changes since the state are not all known, or the state is not one of the caller's
    ///   with these kinds.
    /// - [`Error::InvalidQuery`] if the storage does not keep a kind of record.
    /// - [`Error::NotFound`] if the storage keeps no changes, or the user of a session has no family.
    /// - [`Error::RateLimited`] if the family has too many loads.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "changes", skip_all, fields(user = %self.caller.user()))]
    pub async fn changes(&self, request: &ChangeRequest) -> Result<ChangeList, Error> {
        let member = self.caller.member()?;
        let all = self.state().ok_or(Error::NotFound)?;
        let mut kinds = request.kinds.iter().flatten();
        if !kinds.all(|kind| self.api.capabilities.keeps_kind(*kind)) {
            return Err(INVALID_KINDS.into());
        }
        let Some(state) = &request.since else {
            let state = request.kinds.clone().and_then(|kinds| self.state_of(kinds)).unwrap_or(all);
            return Ok(unchanged(&state));
        };
        let Followed { revision: since, kinds } = Followed::of(state, &member).ok_or(Error::SyncExpired)?;
        let selected = request.kinds.clone().unwrap_or_else(|| kinds.clone());
        let is_followed = |kind| kinds.contains(kind) && self.api.capabilities.keeps_kind(*kind);
        if !selected.iter().all(is_followed) {
            return Err(Error::SyncExpired);
        }
        if self.caller.revision() == Some(since) {
            let state = self.state_of(selected).ok_or(Error::NotFound)?;
            return Ok(ChangeList { old_state: request.since.as_ref().map(State::to_string), ..unchanged(&state) });
        }
        let mut query = ChangesQuery { since, kinds: selected.clone(), limit: request.limit(), max_bytes: MAX_BYTES };
        let (storage, reader) = (Arc::clone(&self.api.storage), member.clone());
        let found = self
            .in_load(move |_load| async move {
                loop {
                    match storage.list_changes(&reader, &query).traced("list_changes").await? {
                        FoundChanges::TooLarge => query.limit = (query.limit / 2).max(1),
                        FoundChanges::Expired => return Err(Error::SyncExpired),
                        FoundChanges::Found(changes) => return Ok(changes),
                    }
                }
            })
            .await?;
        let RecordChanges { revision, has_more, changed, deleted } = found;
        let new_state = Followed { revision, kinds: selected }.state(&member).to_string();
        Ok(ChangeList { old_state: Some(state.to_string()), new_state, has_more, changed, deleted })
    }
}

/// Returns a state without changes.
fn unchanged(state: &State) -> ChangeList {
    ChangeList {
        old_state: None,
        new_state: state.to_string(),
        has_more: false,
        changed: Vec::new(),
        deleted: Vec::new(),
    }
}

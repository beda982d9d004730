//! Lists the deleted records that the caller can restore.

use tracing::instrument;

use crate::Timestamp;
use crate::access::{Caller, Member};
use crate::error::Error;
use crate::query::{INVALID_CURSOR, Position, QueryBinding, RestorablePageRequest};
use crate::resource::{RecordKind, RestorableList, RestorableRecord, Verb};
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::storage::{DELETED_RECORD_RETENTION, RestorableEntry, RestorablePosition, RestorableQuery};

/// A handle to list the deleted records of the caller's family.
#[derive(Debug, Clone)]
pub struct RestorableService<'a> {
    api: &'a FamilyApi,
    member: Member,
}

impl FamilyApi {
    /// Returns a handle for the deleted records of the caller's family. Only a caller in a session has access.
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] if the caller has a token.
    /// - [`Error::NotFound`] if the storage keeps no deleted records, or the user has no family.
    pub fn restorable(&self, caller: &Caller) -> Result<RestorableService<'_>, Error> {
        caller.signed_in()?;
        if !RecordKind::ALL.into_iter().any(|kind| self.capabilities.supports(kind, Verb::Restore)) {
            return Err(Error::NotFound);
        }
        Ok(RestorableService { api: self, member: caller.member()? })
    }
}

impl RestorableService<'_> {
    /// Returns a page of the records that were deleted in the last 30 days, that the caller saw, and whose container
    /// exists. The newest deletion is first.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] if the cursor belongs to another query, or the error of the storage.
    #[instrument(level = "debug", name = "list_restorable", skip_all, fields(user = %self.member.user))]
    pub async fn list(
        &self,
        RestorablePageRequest { kind, page }: &RestorablePageRequest,
    ) -> Result<RestorableList, Error> {
        let binding = QueryBinding::new(&self.member, &("restorable", kind));
        let after = page.position(&binding)?.map(storage_position).transpose()?;
        let limit = page.limit();
        let query = RestorableQuery {
            kind: *kind,
            since: self.api.clock.now().saturating_add(-DELETED_RECORD_RETENTION),
            after,
            // One more record shows whether there is a next page.
            limit: u32::try_from(limit + 1).unwrap_or(u32::MAX),
        };
        let entries = self.api.storage.list_restorable(&self.member, &query).traced("list_restorable").await?;
        let has_more = entries.len() > limit;
        let last = entries.iter().take(limit).next_back().filter(|_| has_more);
        let next_cursor = last.map(|last| binding.cursor(&cursor_position(last)).to_string());
        Ok(RestorableList { records: entries.into_iter().take(limit).map(record).collect(), next_cursor })
    }
}

fn cursor_position(entry: &RestorableEntry) -> Position {
    let RestorablePosition { deleted_at, record } = entry.position();
    Position::new([deleted_at.as_millis(), 0], record)
}

fn storage_position(position: Position) -> Result<RestorablePosition, Error> {
    let ([millis, _], record) = position.into_parts();
    // A client can compute the checksum of a cursor, so the position can be any.
    let deleted_at = Timestamp::from_millis(millis).filter(|_| !record.contains('\0')).ok_or(INVALID_CURSOR)?;
    Ok(RestorablePosition { deleted_at, record })
}

fn record(entry: RestorableEntry) -> RestorableRecord {
    let restorable_until = entry.restorable_until();
    let RestorableEntry { kind, id, title, deleted_at } = entry;
    RestorableRecord { kind, id, title, deleted_at, restorable_until }
}

//! All kinds of changes that the fault tests make, in the family `one`.

use family_api_core::Timestamp;
use family_api_core::change::{EventChange, NoteChange, ProfileChange, TaskMove};
use family_api_core::feed::{FeedDetail, FeedUpdate};
use family_api_core::jiff::civil::date;
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Event, Note, Task};
use family_api_core::storage::{
    CredentialStorage, FeedInsert, FeedStorage, FeedWrite, KeyInsert, KeyRevocation, KeyStorage, NewFeed, Operation,
    Record, StorageError, UserStorage,
};
use family_api_sql::postgres::PostgresStorage;
use serde_json::json;
use tokio::sync::OnceCell;

use crate::family::{AT, Fixture, delete, member, record_of, record_with, update, write};
use crate::faults::{password, rows, session};
use crate::fixture::within_timeout;
use crate::revisions::new_key;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    CreateEvent,
    DeleteFeed,
    DeleteNote,
    DeleteSession,
    InsertFeed,
    InsertKey,
    InsertSession,
    MoveTask,
    RecordFeedUses,
    RecordUses,
    RevokeKey,
    SetTimeZone,
    UpdateFeed,
    UpdateNote,
    UpdatePassword,
    UpdateProfile,
}

impl Change {
    pub(super) const ALL: [Self; 16] = [
        Self::CreateEvent,
        Self::DeleteFeed,
        Self::DeleteNote,
        Self::DeleteSession,
        Self::InsertFeed,
        Self::InsertKey,
        Self::InsertSession,
        Self::MoveTask,
        Self::RecordFeedUses,
        Self::RecordUses,
        Self::RevokeKey,
        Self::SetTimeZone,
        Self::UpdateFeed,
        Self::UpdateNote,
        Self::UpdatePassword,
        Self::UpdateProfile,
    ];

    /// The changes that use a transaction with several statements.
    pub(super) const TRANSACTIONS: [Self; 12] = [
        Self::CreateEvent,
        Self::DeleteFeed,
        Self::DeleteNote,
        Self::InsertFeed,
        Self::InsertKey,
        Self::InsertSession,
        Self::MoveTask,
        Self::SetTimeZone,
        Self::UpdateFeed,
        Self::UpdateNote,
        Self::UpdatePassword,
        Self::UpdateProfile,
    ];

    /// Makes the change within the time limit. Returns an error if it was not made.
    pub(super) async fn make(self, storage: &PostgresStorage) -> Result<(), StorageError> {
        let done = within_timeout(self.try_make(storage)).await?;
        assert!(done, "{self:?} was not made, but returned no error");
        Ok(())
    }

    /// Makes the change. Returns whether it was made.
    pub(super) async fn try_make(self, storage: &PostgresStorage) -> Result<bool, StorageError> {
        let one = &member("one");
        let now: Timestamp = AT.parse().unwrap();
        Ok(match self {
            Self::CreateEvent => {
                let day = date(2026, 12, 24);
                let new = EventChange::new().title("new").start_date(day).end_date(day).build_new().unwrap();
                write::<Event>(storage, one.clone(), Operation::create("new".parse().unwrap(), new)).await?.is_change()
            }
            Self::DeleteFeed => {
                let user = one.user.clone().into();
                storage.delete_feed(&user, &"calendarFeed-one".parse().unwrap(), now).await? == FeedWrite::Written(())
            }
            Self::DeleteNote => write::<Note>(storage, one.clone(), delete("note-one")).await?.is_change(),
            Self::DeleteSession => storage.delete_session(&session(0x33).digest).await?,
            Self::InsertFeed => storage.insert_feed(&new_feed(), 50).await? == FeedInsert::Inserted,
            Self::InsertKey => storage.insert_key(&new_key(), 50).await? == KeyInsert::Inserted,
            Self::InsertSession => storage.insert_session(&session(0x44), &password("old")).await?,
            Self::MoveTask => {
                let to = TaskMove::new(&"column-one".parse().unwrap(), 1).build().unwrap();
                write::<Task>(storage, one.clone(), update("task-one", to)).await?.is_change()
            }
            Self::RecordFeedUses => {
                storage.record_feed_uses(&[KeyDigest::from_bytes([0x11; 32])], now).await.map(|()| true)?
            }
            Self::RecordUses => storage.record_uses(&[KeyDigest::from_bytes([0x11; 32])], now).await.map(|()| true)?,
            Self::RevokeKey => {
                storage.revoke_key(&one.user.clone().into(), &"key-one".parse().unwrap(), now).await?
                    == KeyRevocation::Revoked
            }
            Self::SetTimeZone => {
                let change = ProfileChange::new().set_time_zone("Asia/Tokyo".parse().unwrap());
                let changed = storage.update_profile(&one.user.clone().into(), &change, now).await?;
                changed.is_some_and(|one| one.time_zone.as_str() == "Asia/Tokyo")
            }
            Self::UpdateFeed => {
                let (user, feed) = (one.user.clone().into(), "calendarFeed-one".parse().unwrap());
                let busy = FeedUpdate::new().detail(FeedDetail::Busy);
                matches!(storage.update_feed(&user, &feed, &busy, now).await?, FeedWrite::Written(_))
            }
            Self::UpdateNote => {
                let change = NoteChange::new().title("changed").build().unwrap();
                write::<Note>(storage, one.clone(), update("note-one", change)).await?.is_change()
            }
            Self::UpdatePassword => storage.update_password(&one.user, &password("new")).await?,
            Self::UpdateProfile => {
                let change = ProfileChange::new().enable_personal_api();
                storage
                    .update_profile(&one.user.clone().into(), &change, now)
                    .await?
                    .is_some_and(|one| one.personal_api_enabled)
            }
        })
    }

    /// Returns every row after the change was made without faults.
    pub(super) async fn rows_after(self) -> &'static [String] {
        static ROWS: [OnceCell<Vec<String>>; Change::ALL.len()] = [const { OnceCell::const_new() }; Change::ALL.len()];
        let make = async || {
            let fixture = Fixture::with_all_records().await;
            self.make(&fixture.storage).await.unwrap();
            rows(&mut fixture.connect_host().await).await
        };
        ROWS[self as usize].get_or_init(make).await
    }
}

/// Returns a second feed of the user.
fn new_feed() -> NewFeed {
    let hash = "44".repeat(32);
    let line = record_with("calendarFeed", &json!({ "id": "new", "secretHash": hash, "createdAt": AT }));
    let Record::CalendarFeed(record) = record_of(&line) else { panic!("{line}") };
    NewFeed { digest: record.digest, owner: record.user_id.clone().into(), feed: record.into() }
}

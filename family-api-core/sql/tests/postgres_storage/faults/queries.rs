//! All kinds of queries that the fault tests run, in the family `one`.

use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Document, TaskFilter};
use family_api_core::storage::{
    CredentialStorage, FeedStorage, Health, KeyStorage, ReadStorage, StorageError, UserStorage,
};
use family_api_sql::postgres::PostgresStorage;

use crate::family::{AT, Fixture, member};
use crate::faults::session;
use crate::fixture::within_timeout;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Query {
    Account,
    Events,
    Feed,
    Feeds,
    Health,
    Key,
    Keys,
    Members,
    Notes,
    OverlappingEvents,
    Password,
    Profile,
    Session,
    Shopping,
    Tasks,
    TaskStats,
}

impl Query {
    pub(super) const ALL: [Self; 16] = [
        Self::Account,
        Self::Events,
        Self::Feed,
        Self::Feeds,
        Self::Health,
        Self::Key,
        Self::Keys,
        Self::Members,
        Self::Notes,
        Self::OverlappingEvents,
        Self::Password,
        Self::Profile,
        Self::Session,
        Self::Shopping,
        Self::Tasks,
        Self::TaskStats,
    ];

    /// Returns whether a change of a note changes the result (also through the family's revision).
    pub(super) fn depends_on_notes(self) -> bool {
        matches!(self, Self::Account | Self::Feed | Self::Key | Self::Notes)
    }

    /// Runs the query and returns its full result as text. Panics if it takes longer than the timeout.
    pub(super) async fn run(self, storage: &PostgresStorage) -> Result<String, StorageError> {
        within_timeout(self.result(storage)).await
    }

    async fn result(self, storage: &PostgresStorage) -> Result<String, StorageError> {
        let one = &member("one");
        let now = AT.parse().unwrap();
        Ok(match self {
            Self::Account => format!("{:?}", storage.find_account(&one.user).await?),
            Self::Events => text(storage.list_events(one, &EventRange::default()).await?),
            Self::Feed => format!("{:?}", storage.find_feed(&KeyDigest::from_bytes([0x11; 32])).await?),
            Self::Feeds => format!("{:?}", storage.list_feeds(&one.user, now).await?),
            Self::Health => format!("{:?}", storage.check().await?),
            Self::Key => format!("{:?}", storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await?),
            Self::Keys => format!("{:?}", storage.list_keys(&one.user, now).await?),
            Self::Members => text(storage.list_members(one).await?),
            Self::OverlappingEvents => {
                text(storage.list_overlapping_events(one, &(Timestamp::MIN..Timestamp::MAX)).await?)
            }
            Self::Notes => text(storage.list_notes(one).await?),
            Self::Password => format!("{:?}", storage.find_password("one@example.org").await?),
            Self::Profile => format!("{:?}", storage.find_profile(&one.user).await?),
            Self::Session => format!("{:?}", storage.find_session(&session(0x33).digest, now).await?),
            Self::Shopping => text(storage.list_shopping(one).await?),
            Self::Tasks => text(storage.list_tasks(one, TaskFilter::All).await?),
            Self::TaskStats => text(storage.find_task_stats(one, &StatsPeriods::at(now, &Zone::utc())).await?),
        })
    }
}

fn text<T>(document: Document<T>) -> String {
    String::from_utf8(document.into_bytes().to_vec()).unwrap()
}

/// Returns every query with its correct result. Asserts that no result is empty.
pub(super) async fn expected_results(fixture: &Fixture) -> Vec<(Query, String)> {
    let mut results = Vec::new();
    for query in Query::ALL {
        let result = query.run(&fixture.storage).await.unwrap();
        assert!(result != "None" && result != "[]", "{query:?}");
        results.push((query, result));
    }
    results
}

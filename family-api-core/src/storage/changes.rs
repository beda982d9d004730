//! The log of changes, from which a member learns what has changed since a revision.
//!
//! Each write adds rows in its transaction: one for each record that it changes. The rows of a transaction have the
//! revision that the family had before it ([`LoggedChange::since`]) and the revision that it has after it. So the rows
//! form a chain. If something else changes the family, such as an import, a restored backup or a statement of the host,
//! or if rows are deleted, the chain has a gap, and no one can follow it over the gap. No reader misses a change without
//! notice.
//!
//! A row has no content of the record. It has who saw the record before and after the change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::UserId;
use crate::resource::{AnyRecord, ChangedRecord, DeletedRecordId, RecordKind, Revision};
use crate::storage::StorageError;

/// Who sees a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Audience {
    /// Every member of the family.
    Everyone,
    /// Only this user: the owner of a private record, or of a record in a private container.
    Only(UserId),
    /// No one: a private record in the private container of another user, or without an owner.
    NoOne,
}

impl Audience {
    /// Returns who sees a record that is private or not.
    #[must_use]
    pub fn of(is_private: bool, owner: Option<&UserId>) -> Self {
        match (is_private, owner) {
            (false, _) => Self::Everyone,
            (true, Some(owner)) => Self::Only(owner.clone()),
            (true, None) => Self::NoOne,
        }
    }

    /// Returns who belongs to both audiences: who sees a record in a container.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Everyone, other) | (other, Self::Everyone) => other,
            (Self::Only(one), Self::Only(other)) if one == other => Self::Only(one),
            _ => Self::NoOne,
        }
    }

    /// Returns whether the user belongs to the audience.
    #[must_use]
    pub fn includes(&self, user: &UserId) -> bool {
        match self {
            Self::Everyone => true,
            Self::Only(owner) => owner == user,
            Self::NoOne => false,
        }
    }

    /// Returns the text that a database stores: `*`, an empty text, or `=` and the id of the user.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Everyone => "*".to_owned(),
            Self::Only(owner) => format!("={owner}"),
            Self::NoOne => String::new(),
        }
    }

    /// Parses the [text](Self::to_text).
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if it is another text.
    pub fn from_text(text: &str) -> Result<Self, StorageError> {
        match text.strip_prefix('=') {
            Some(owner) => Ok(Self::Only(owner.parse().map_err(StorageError::corrupt)?)),
            None if text == "*" => Ok(Self::Everyone),
            None if text.is_empty() => Ok(Self::NoOne),
            None => Err(StorageError::corrupt("an unknown audience")),
        }
    }
}

impl From<Audience> for String {
    fn from(audience: Audience) -> Self {
        audience.to_text()
    }
}

impl TryFrom<String> for Audience {
    type Error = StorageError;

    fn try_from(text: String) -> Result<Self, StorageError> {
        Self::from_text(&text)
    }
}

/// A change of a record in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoggedChange {
    /// The revision of the family before the transaction.
    pub since: Revision,
    /// The revision of the family after the transaction.
    pub revision: Revision,
    /// The number of the change in its transaction, from 0.
    pub ordinal: u32,
    /// The kind of the record.
    pub kind: RecordKind,
    /// Identifier of the record.
    pub id: String,
    /// Who saw the record before the change. `None` if it was created or restored.
    pub seen_before: Option<Audience>,
    /// Who sees the record after the change. `None` if it was deleted.
    pub seen_after: Option<Audience>,
    /// When the record was changed.
    pub changed_at: Timestamp,
}

/// Selects the changes after a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesQuery {
    /// The revision that the member knows.
    pub since: Revision,
    /// The kinds of the records.
    pub kinds: Vec<RecordKind>,
    /// The number of rows of the log after which no further transaction is read. At least 1. The rows of a transaction
    /// are read together, so there can be more.
    pub limit: u32,
    /// The maximum size of the changed records, in bytes of JSON.
    pub max_bytes: usize,
}

/// The result of a read of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundChanges {
    /// The changes.
    Found(RecordChanges),
    /// The changed records are larger than [`ChangesQuery::max_bytes`]. The transactions are several, so a lower limit
    /// finds less.
    TooLarge,
    /// The log does not have every change after the revision.
    Expired,
}

/// The changes of records between two revisions, as a member sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordChanges {
    /// The revision after the changes.
    pub revision: Revision,
    /// Whether the family has a later revision.
    pub has_more: bool,
    /// The records that the member sees, each as it is when they are read. Containers come first.
    pub changed: Vec<ChangedRecord>,
    /// The records that the member saw at the earlier revision or after it, and does not see when they are read.
    pub deleted: Vec<DeletedRecordId>,
}

/// The rows of the log between two revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRange {
    /// The rows, ordered by revision and number.
    pub rows: Vec<LoggedChange>,
    /// The revision of the family.
    pub current: Revision,
}

/// The records to which the rows of the log refer. A storage then finds which of them the member sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedLog {
    /// The revision after the rows.
    revision: Revision,
    has_more: bool,
    /// The number of transactions.
    transactions: usize,
    /// The records, and whether the member saw each before one of the rows. The data of the member can be newer than the
    /// revision from which the rows begin, so the member can also have records that were created after it.
    records: BTreeMap<(RecordKind, String), bool>,
    /// Those that the member sees.
    changed: Vec<ChangedRecord>,
    /// The size of these as JSON.
    bytes: usize,
    max_bytes: usize,
}

impl LogRange {
    /// Follows the chain of the rows from the revision of the query. Returns `None` if it has a gap.
    #[must_use]
    pub fn follow(self, user: &UserId, query: &ChangesQuery) -> Option<FollowedLog> {
        let Self { rows, current } = self;
        let ends_at_current = rows.len() < query.limit as usize;
        let mut followed = FollowedLog {
            revision: query.since,
            has_more: false,
            transactions: 0,
            records: BTreeMap::new(),
            changed: Vec::new(),
            bytes: 0,
            max_bytes: query.max_bytes,
        };
        let mut next_ordinal = 0;
        for row in rows {
            if row.revision != followed.revision {
                if row.since != followed.revision {
                    return None;
                }
                followed.revision = row.revision;
                followed.transactions += 1;
                next_ordinal = 0;
            }
            if row.ordinal != next_ordinal {
                return None;
            }
            next_ordinal += 1;
            if query.kinds.contains(&row.kind) {
                let was_seen = row.seen_before.is_some_and(|audience| audience.includes(user));
                *followed.records.entry((row.kind, row.id)).or_default() |= was_seen;
            }
        }
        followed.has_more = followed.revision != current;
        if followed.has_more && ends_at_current { None } else { Some(followed) }
    }
}

impl FollowedLog {
    /// Returns the ids of the records of a kind.
    pub fn ids(&self, kind: RecordKind) -> impl Iterator<Item = &str> {
        self.records.keys().filter(move |(of, _)| *of == kind).map(|(_, id)| id.as_str())
    }

    /// Adds a record that the member sees.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the record cannot be serialized as JSON.
    pub fn add(&mut self, record: impl Into<AnyRecord>) -> Result<(), StorageError> {
        let changed = ChangedRecord::new(record);
        self.bytes += serde_json::to_vec(&changed).map_err(StorageError::corrupt)?.len();
        self.changed.push(changed);
        Ok(())
    }

    /// Returns whether the records are too large, and a lower limit can find fewer. Further records are then not needed.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.bytes > self.max_bytes && self.transactions > 1
    }

    /// Returns the changes, after each record that the member sees was added.
    #[must_use]
    pub fn finish(self) -> FoundChanges {
        if self.is_too_large() {
            return FoundChanges::TooLarge;
        }
        let Self { revision, has_more, mut records, mut changed, .. } = self;
        for seen in &changed {
            records.remove(&(seen.record.kind(), seen.id.clone()));
        }
        changed.sort_by_key(|changed| !changed.record.kind().is_container());
        let deleted = records.into_iter().filter(|(_, was_seen)| *was_seen);
        let deleted = deleted.map(|((kind, id), _)| DeletedRecordId { kind, id }).collect();
        FoundChanges::Found(RecordChanges { revision, has_more, changed, deleted })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str) -> UserId {
        id.parse().unwrap()
    }

    fn row(since: i64, revision: i64, ordinal: u32, id: &str, seen: [Option<Audience>; 2]) -> LoggedChange {
        let [seen_before, seen_after] = seen;
        LoggedChange {
            since: Revision::new(since),
            revision: Revision::new(revision),
            ordinal,
            kind: RecordKind::Note,
            id: id.to_owned(),
            seen_before,
            seen_after,
            changed_at: Timestamp::MIN,
        }
    }

    const EVERYONE: Option<Audience> = Some(Audience::Everyone);

    fn follow(rows: &[LoggedChange], since: i64, current: i64) -> Option<FollowedLog> {
        let query = ChangesQuery {
            since: Revision::new(since),
            kinds: RecordKind::ALL.to_vec(),
            limit: 100,
            max_bytes: usize::MAX,
        };
        LogRange { rows: rows.to_vec(), current: Revision::new(current) }.follow(&user("ada"), &query)
    }

    #[test]
    fn a_chain_with_a_gap_is_not_followed() {
        let seen = || [EVERYONE, EVERYONE];
        let rows = [row(5, 7, 0, "a", seen()), row(5, 7, 1, "b", seen()), row(7, 8, 0, "a", seen())];
        let followed = follow(&rows, 5, 8).unwrap();
        assert_eq!((followed.revision.get(), followed.has_more, followed.transactions), (8, false, 2));
        assert_eq!(followed.ids(RecordKind::Note).collect::<Vec<_>>(), ["a", "b"]);
        assert!(follow(&[], 8, 8).unwrap().records.is_empty());
        for (rows, since, current) in [
            // Something else has changed the family after, before or between the rows.
            (rows.to_vec(), 5, 9),
            (rows.to_vec(), 4, 8),
            (vec![rows[0].clone(), rows[1].clone(), row(8, 9, 0, "a", seen())], 5, 9),
            (Vec::new(), 7, 8),
            (Vec::new(), 9, 8),
            // Rows of a transaction are missing.
            (rows[1..].to_vec(), 5, 8),
            (vec![rows[0].clone(), row(5, 7, 2, "c", seen()), rows[2].clone()], 5, 8),
        ] {
            assert_eq!(follow(&rows, since, current), None, "{rows:?} {since} {current}");
        }
    }

    #[test]
    fn rows_up_to_the_limit_can_end_before_the_current_revision() {
        let rows = vec![row(1, 2, 0, "a", [EVERYONE, None])];
        let query =
            ChangesQuery { since: Revision::new(1), kinds: vec![RecordKind::Note], limit: 1, max_bytes: usize::MAX };
        let range = LogRange { rows, current: Revision::new(9) };
        assert!(range.clone().follow(&user("ada"), &query).unwrap().has_more);
        assert_eq!(range.follow(&user("ada"), &ChangesQuery { limit: 2, ..query }), None);
    }

    #[test]
    fn a_record_that_the_member_could_never_see_is_not_named() {
        let only = |id| Some(Audience::Only(user(id)));
        let rows = [
            row(1, 2, 0, "hidden", [only("bob"), None]),
            row(1, 2, 1, "created and deleted", [None, EVERYONE]),
            row(1, 2, 2, "gone", [EVERYONE, only("bob")]),
            row(2, 3, 0, "created and deleted", [EVERYONE, None]),
            row(2, 3, 1, "gone", [only("bob"), None]),
            row(2, 3, 2, "no one", [Some(Audience::NoOne), None]),
        ];
        let FoundChanges::Found(changes) = follow(&rows, 1, 3).unwrap().finish() else { panic!() };
        // The member can have read a record that was created after the first revision.
        let named: Vec<_> = changes.deleted.iter().map(|deleted| deleted.id.as_str()).collect();
        assert_eq!(named, ["created and deleted", "gone"]);
    }

    #[test]
    fn an_audience_has_a_text() {
        for audience in [Audience::Everyone, Audience::NoOne, Audience::Only(user("ada"))] {
            assert_eq!(Audience::from_text(&audience.to_text()).unwrap(), audience);
        }
        assert!(Audience::from_text("ada").is_err() && Audience::from_text("=").is_err());
    }

    #[test]
    fn a_record_in_a_container_is_seen_by_those_who_see_both() {
        let only = |id| Audience::Only(user(id));
        assert_eq!(Audience::Everyone.and(only("ada")), only("ada"));
        assert_eq!(only("ada").and(Audience::Everyone), only("ada"));
        assert_eq!(only("ada").and(only("ada")), only("ada"));
        assert_eq!(only("ada").and(only("bob")), Audience::NoOne);
        assert_eq!(Audience::of(true, None), Audience::NoOne);
    }
}

//! Calendar feeds.

use super::field::{bounded, digest, feed_name, present, sequence, serialize_digest};
use crate::Timestamp;
use crate::feed::{CalendarFeed, FeedDetail, FeedLanguage, FeedSettings, FeedShows, MAX_FEED_BOARDS, MAX_FEED_PERSONS};
use crate::id::{BoardId, FeedId, UserId};
use crate::key::KeyDigest;

record! {
    /// A calendar feed, identified by the digest of its secret.
    FeedRecord: "calendarFeed" in "calendar_feeds" {
        /// Identifier of the feed.
        id: FeedId,
        /// The name of the calendar: 1 to 100 characters.
        #[serde(deserialize_with = "feed_name")]
        name: String,
        /// The prefix and the last four characters of the secret.
        hint: String,
        /// Which records the feed shows.
        shows: FeedShows,
        /// How much of each record the feed shows.
        detail: FeedDetail,
        /// The users of whom the feed shows records. They need not exist.
        #[serde(default, deserialize_with = "bounded::<_, _, MAX_FEED_PERSONS>")]
        person_ids: Vec<UserId>,
        /// The boards of which the feed shows tasks. They need not exist.
        #[serde(default, deserialize_with = "bounded::<_, _, MAX_FEED_BOARDS>")]
        board_ids: Vec<BoardId>,
        /// The language of the words that the feed adds.
        language: FeedLanguage,
        /// How often the settings, or the time zone of the owner, were changed. 0 if a line has none.
        #[serde(default, deserialize_with = "sequence")]
        sequence: u32,
        /// When the feed was created.
        created_at: Timestamp,
        /// When the settings were last changed.
        updated_at: Timestamp,
        /// When the feed ends; `None` if it does not end. A line must say so with `null`.
        #[serde(deserialize_with = "present")]
        expires_at: Option<Timestamp>,
    } stores {
        /// The owner of the feed.
        user_id: UserId,
        /// The SHA-256 of the whole secret. In the file: 64 hexadecimal digits.
        #[serde(rename = "secretHash", deserialize_with = "digest", serialize_with = "serialize_digest")]
        digest: KeyDigest,
    } refers {
        user_id: UserId => "user" unkeyed,
    }
}

/// A feed that no program has read yet.
impl From<FeedRecord> for CalendarFeed {
    fn from(record: FeedRecord) -> Self {
        let FeedRecord { id, name, hint, shows, detail, person_ids, board_ids, language, .. } = record;
        Self {
            id,
            hint,
            settings: FeedSettings { name, shows, detail, person_ids, board_ids, language },
            created_at: record.created_at,
            updated_at: record.updated_at,
            expires_at: record.expires_at,
            last_used_at: None,
            left_out: 0,
        }
    }
}

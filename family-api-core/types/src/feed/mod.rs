//! Calendar feeds: addresses at which a calendar program reads the family's events and due tasks.

mod choices;
mod draft;
mod settings;

pub use choices::{FeedBoard, FeedChoices};
pub use draft::{FeedDraft, FeedUpdate};
pub use settings::{FeedDetail, FeedLanguage, FeedSettings, FeedShows, MAX_FEED_BOARDS, MAX_FEED_PERSONS};

use serde::{Deserialize, Serialize};

use crate::id::FeedId;
use crate::key::PlainToken;
use crate::timestamp::Timestamp;

/// A calendar feed, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CalendarFeed {
    /// Identifier of the feed.
    pub id: FeedId,
    /// The prefix and the last four characters of the secret.
    pub hint: String,
    /// What the feed shows.
    #[serde(flatten)]
    pub settings: FeedSettings,
    /// When the feed was created.
    pub created_at: Timestamp,
    /// When the settings were last changed.
    pub updated_at: Timestamp,
    /// When the feed ends: from this instant on, its address is unknown. Null if it does not end.
    pub expires_at: Option<Timestamp>,
    /// When a program last read the feed, truncated to the minute; null if none did.
    pub last_used_at: Option<Timestamp>,
    /// The number of events and tasks that the feed left out when a program last read it, because it had too many.
    pub left_out: u32,
}

impl CalendarFeed {
    /// Returns whether the feed has not ended: `now < expiresAt`.
    #[must_use]
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|expires_at| now < expires_at)
    }
}

/// The response to the creation of a feed. It is the only response that contains the secret.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreatedFeed {
    /// The path of the feed below the address of the server: `/calendar/{secret}.ics`. Only this response contains it.
    pub path: PlainToken,
    /// The feed.
    #[serde(flatten)]
    pub feed: CalendarFeed,
}

impl CreatedFeed {
    /// Creates the response.
    #[must_use]
    pub fn new(feed: CalendarFeed, path: PlainToken) -> Self {
        Self { path, feed }
    }
}

/// The feeds of a user that have not ended, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FeedList {
    /// The feeds.
    pub feeds: Vec<CalendarFeed>,
}

impl FeedList {
    /// Creates the list.
    #[must_use]
    pub fn new(feeds: Vec<CalendarFeed>) -> Self {
        Self { feeds }
    }
}

/// The response to the end of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EndedFeed {
    /// Always true.
    pub ok: bool,
    /// Identifier of the feed that ended.
    pub id: FeedId,
}

impl EndedFeed {
    /// Creates the response.
    #[must_use]
    pub fn new(id: FeedId) -> Self {
        Self { ok: true, id }
    }
}

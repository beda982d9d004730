//! What a calendar feed shows, and how.

use serde::{Deserialize, Serialize};

use crate::id::{BoardId, UserId};

/// The maximum number of persons that a feed can name.
pub const MAX_FEED_PERSONS: usize = 30;

/// The maximum number of boards that a feed can name.
pub const MAX_FEED_BOARDS: usize = 50;

/// What a feed shows, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeedSettings {
    /// The name of the calendar, 1 to 100 characters.
    pub name: String,
    /// Which records the feed shows.
    pub shows: FeedShows,
    /// How much of each record the feed shows.
    pub detail: FeedDetail,
    /// Shows only what one of these users is assigned to or takes part in. Everything if the list is empty.
    pub person_ids: Vec<UserId>,
    /// Shows only the tasks on these boards. The tasks of all boards if the list is empty.
    pub board_ids: Vec<BoardId>,
    /// The language of the words that the feed adds, such as "Busy".
    pub language: FeedLanguage,
}

impl FeedSettings {
    /// Creates the settings of a feed that shows all events of the family, whole and in English.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            shows: FeedShows::Events,
            detail: FeedDetail::Full,
            person_ids: Vec::new(),
            board_ids: Vec::new(),
            language: FeedLanguage::En,
        }
    }
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every choice.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name of the choice, as on the wire and in a storage.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// Returns the choice with a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.as_str() == name)
            }
        }
    )+};
}

choices! {
    /// Which records a feed shows.
    FeedShows {
        /// Events.
        Events = "events",
        /// Tasks with a due date that are not done.
        Tasks = "tasks",
        /// Events, and tasks with a due date that are not done.
        Both = "both",
    }

    /// How much of each record a feed shows.
    FeedDetail {
        /// Title, place and description.
        Full = "full",
        /// Only when it takes time.
        Busy = "busy",
    }

    /// The language of the words that a feed adds.
    FeedLanguage {
        /// English.
        En = "en",
        /// Ukrainian.
        Uk = "uk",
        /// Spanish.
        Es = "es",
        /// German.
        De = "de",
    }
}

impl FeedShows {
    /// Returns whether the feed shows events.
    #[must_use]
    pub const fn has_events(self) -> bool {
        matches!(self, Self::Events | Self::Both)
    }

    /// Returns whether the feed shows tasks.
    #[must_use]
    pub const fn has_tasks(self) -> bool {
        matches!(self, Self::Tasks | Self::Both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_one_name_on_the_wire_and_in_a_storage() {
        fn check<T: Copy + PartialEq + std::fmt::Debug + Serialize>(all: &[T], name: fn(T) -> &'static str) {
            for choice in all {
                assert_eq!(serde_json::to_value(choice).unwrap(), name(*choice), "{choice:?}");
            }
        }
        check(FeedShows::ALL, FeedShows::as_str);
        check(FeedDetail::ALL, FeedDetail::as_str);
        check(FeedLanguage::ALL, FeedLanguage::as_str);
        assert_eq!(FeedShows::from_name("both"), Some(FeedShows::Both));
        assert_eq!(FeedShows::from_name("Both"), None);
    }
}

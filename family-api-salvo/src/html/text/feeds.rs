//! The texts of the calendar feeds, on the page of keys and connections. The page calls a feed a calendar subscription.

use serde::Deserialize;

/// The texts of the calendar feeds.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedsText {
    /// Follows the explanation of the switch of the personal API.
    pub(crate) switch: &'static str,
    /// Follows the explanation and the effect of the button that ends all access.
    pub(crate) stop: &'static str,
    /// Follows the outcome of this button. `{feeds}` is a number.
    pub(crate) stopped: &'static str,
    pub(crate) list: FeedListText,
    pub(crate) create: CreateFeedText,
    pub(crate) created: CreatedFeedText,
}

/// The texts of the list of feeds.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedListText {
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) empty: &'static str,
    /// The personal API is switched off.
    pub(crate) api_is_off: &'static str,
    /// Follows what a feed shows if it is limited to members or boards. `{names}` are their names.
    pub(crate) limited: &'static str,
    /// The same if their names are unknown.
    pub(crate) filtered: &'static str,
    /// The label of the number of records for which the feed had no room.
    pub(crate) left_out: &'static str,
    pub(crate) end: &'static str,
    pub(crate) ended: &'static str,
    /// The question before a feed ends. `{name}` is its name.
    pub(crate) question: &'static str,
    pub(crate) effect: &'static str,
}

/// The texts of the form that creates a feed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateFeedText {
    pub(crate) title: &'static str,
    pub(crate) name: &'static str,
    pub(crate) name_hint: &'static str,
    pub(crate) shows: &'static str,
    pub(crate) events: &'static str,
    pub(crate) tasks: &'static str,
    pub(crate) both: &'static str,
    pub(crate) detail: &'static str,
    pub(crate) full: &'static str,
    pub(crate) busy: &'static str,
    /// The label of the members to which a feed can be limited, and what is shown if none is selected.
    pub(crate) persons: &'static str,
    pub(crate) every_person: &'static str,
    /// The same for boards.
    pub(crate) boards: &'static str,
    pub(crate) every_board: &'static str,
    pub(crate) expires: &'static str,
    pub(crate) submit: &'static str,
    /// A feed was perhaps created, but the answer with its address did not arrive.
    pub(crate) maybe_created: &'static str,
    pub(crate) limit_reached: &'static str,
    pub(crate) no_family: &'static str,
}

/// The texts that show the address of a new feed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatedFeedText {
    pub(crate) title: &'static str,
    pub(crate) once: &'static str,
    /// The link that opens the address on the device.
    pub(crate) device: &'static str,
    /// The link that opens the address in Google Calendar.
    pub(crate) google: &'static str,
    pub(crate) google_hint: &'static str,
    pub(crate) copy: &'static str,
    pub(crate) scan: &'static str,
    /// The name of the code, for screen readers.
    pub(crate) code: &'static str,
    pub(crate) done: &'static str,
}

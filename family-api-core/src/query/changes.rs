//! The query of the changes since a state.

use std::fmt;
use std::str::FromStr;

use crate::access::Member;
use crate::query::{Cursor, Position, QueryBinding};
use crate::resource::{InvalidQuery, RecordKind, Revision, find_single};

/// A state of a family's data, as a user sees it. Only the same user can ask for the changes since it.
///
/// The text is opaque. It contains the revision of the data and the kinds of records that the user follows, and a
/// checksum over them, the user and the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State(Cursor);

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Checks the length only.
impl FromStr for State {
    type Err = InvalidQuery;

    fn from_str(text: &str) -> Result<Self, InvalidQuery> {
        text.parse().map(Self).map_err(|_| INVALID_STATE)
    }
}

const INVALID_STATE: InvalidQuery =
    InvalidQuery { parameter: "since", expected: "a state that a response of the API contains, once" };

/// Selects changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    /// The state that the caller has. `None` asks only for the current state.
    pub since: Option<State>,
    /// The kinds of records. `None` selects the kinds of the state, or all kinds without a state.
    pub kinds: Option<Vec<RecordKind>>,
    limit: u32,
}

impl ChangeRequest {
    /// The names of the query parameters.
    pub const PARAMETERS: [&str; 3] = ["since", "kinds", "limit"];
    /// Maximum number of changes of a response. The changes of one write are never divided, so there can be more.
    pub const MAX_LIMIT: u32 = 500;

    /// Creates a request for the changes since a state. Without a limit: [`MAX_LIMIT`](Self::MAX_LIMIT).
    ///
    /// # Errors
    /// [`InvalidQuery`] if the limit is not in 1–500, or if there are no kinds.
    pub fn new(since: Option<State>, kinds: Option<Vec<RecordKind>>, limit: Option<u32>) -> Result<Self, InvalidQuery> {
        if kinds.as_ref().is_some_and(Vec::is_empty) {
            return Err(INVALID_KINDS);
        }
        match limit.unwrap_or(Self::MAX_LIMIT) {
            limit @ 1..=Self::MAX_LIMIT => Ok(Self { since, kinds, limit }),
            _ => Err(LIMIT),
        }
    }

    /// Parses the query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice. The service checks whether the state is one
    /// of the caller's.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        let since = find_single(query, INVALID_STATE.parameter, INVALID_STATE.expected)?;
        let kinds = find_single(query, INVALID_KINDS.parameter, INVALID_KINDS.expected)?;
        let kinds = kinds.map(|names| names.split(',').map(parse_kind).collect::<Result<_, _>>()).transpose()?;
        let limit = find_single(query, LIMIT.parameter, LIMIT.expected)?;
        let limit = limit.map(|text| text.parse().map_err(|_| LIMIT)).transpose()?;
        Self::new(since.map(|text| text.parse()).transpose()?, kinds, limit)
    }

    /// Returns the maximum number of changes.
    pub(crate) const fn limit(&self) -> u32 {
        self.limit
    }
}

pub(crate) const INVALID_KINDS: InvalidQuery =
    InvalidQuery { parameter: "kinds", expected: "kinds of records, separated by commas, such as `task,event`; once" };
const LIMIT: InvalidQuery = InvalidQuery { parameter: "limit", expected: "a number from 1 to 500, once" };

fn parse_kind(name: &str) -> Result<RecordKind, InvalidQuery> {
    RecordKind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(INVALID_KINDS)
}

/// The content of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Followed {
    pub(crate) revision: Revision,
    pub(crate) kinds: Vec<RecordKind>,
}

impl Followed {
    /// Returns the state for a member.
    pub(crate) fn state(&self, member: &Member) -> State {
        let kinds = self.kinds.iter().fold(0, |bits, kind| bits | bit(*kind));
        State(binding(member).cursor(&Position::new([self.revision.get(), kinds], "")))
    }

    /// Returns the content of a state. `None` if the state is damaged, or belongs to another user or family.
    pub(crate) fn of(state: &State, member: &Member) -> Option<Self> {
        let ([revision, kinds], _) = binding(member).position(&state.0).ok()?.into_parts();
        let kinds = RecordKind::ALL.into_iter().filter(|kind| kinds & bit(*kind) != 0);
        Some(Self { revision: Revision::new(revision), kinds: kinds.collect() })
    }
}

fn binding(member: &Member) -> QueryBinding {
    QueryBinding::new(member, &"changes")
}

/// Returns the bit of a kind in a state: its place in [`RecordKind::ALL`].
const fn bit(kind: RecordKind) -> i64 {
    1 << kind as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(user: &str) -> Member {
        Member { user: user.parse().unwrap(), family: "f".parse().unwrap() }
    }

    #[test]
    fn a_state_has_its_content_only_for_its_user() {
        for kinds in [RecordKind::ALL.to_vec(), vec![RecordKind::Task, RecordKind::NoteCategory]] {
            let followed = Followed { revision: Revision::new(7), kinds };
            let state: State = followed.state(&member("ada")).to_string().parse().unwrap();
            assert_eq!(Followed::of(&state, &member("ada")), Some(followed));
            assert_eq!(Followed::of(&state, &member("bob")), None);
        }
    }

    #[test]
    fn each_parameter_is_checked_and_others_are_ignored() {
        let all = ChangeRequest { since: None, kinds: None, limit: 500 };
        assert_eq!(ChangeRequest::parse("x=1").unwrap(), all);
        let parsed = ChangeRequest::parse("kinds=task,shopping_item&limit=1&since=a").unwrap();
        assert_eq!(parsed.kinds, Some(vec![RecordKind::Task, RecordKind::ShoppingItem]));
        assert_eq!((parsed.limit, parsed.since.unwrap().to_string()), (1, "a".to_owned()));
        for (bad, parameter) in [
            ("since=", "since"),
            ("since=a&since=a", "since"),
            ("kinds=", "kinds"),
            ("kinds=tasks", "kinds"),
            ("kinds=task,", "kinds"),
            ("kinds=task&kinds=task", "kinds"),
            ("limit=0", "limit"),
            ("limit=501", "limit"),
        ] {
            assert_eq!(ChangeRequest::parse(bad).unwrap_err().parameter, parameter, "{bad}");
        }
        assert_eq!(ChangeRequest::new(None, Some(Vec::new()), None).unwrap_err().parameter, "kinds");
    }
}

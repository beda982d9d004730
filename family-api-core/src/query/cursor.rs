//! The cursor: the position of a page in the results of a query.

use std::fmt;
use std::str::FromStr;

use sha2::digest::consts::U16;
use sha2::{Digest, Sha256};

use crate::access::Member;
use crate::resource::InvalidQuery;

/// Maximum length of a cursor, in characters.
const MAX_LENGTH: usize = 200;

/// Length of the checksum, in bytes.
const CHECKSUM_LENGTH: usize = 16;

pub(crate) const INVALID_CURSOR: InvalidQuery = InvalidQuery {
    parameter: "cursor",
    expected: "the cursor that the previous page of the same query returned; start again without `cursor`",
};

/// The position after the last record of a page. Only the same user can continue the same query with it.
///
/// The text is opaque. It contains the sort key of the last record, and a checksum over the user, the family, the query
/// and that key. The checksum is not a secret: it finds a cursor that was mixed up or damaged. A cursor of records gives
/// no access, because it is only compared with records that the user sees. With a forged [state](crate::query::State), a
/// member can learn the ids of deleted records that every member could see then.
#[derive(Clone, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    /// Returns the cursor as text: letters and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cursor({})", self.0)
    }
}

/// Checks the length only. The query that gets the cursor checks the rest.
impl FromStr for Cursor {
    type Err = InvalidQuery;

    fn from_str(text: &str) -> Result<Self, InvalidQuery> {
        if text.is_empty() || text.len() > MAX_LENGTH { Err(INVALID_CURSOR) } else { Ok(Self(text.to_owned())) }
    }
}

/// The sort key of a record: up to two numbers, then the id. That of an occurrence has its start by the rule after the
/// id. No other record's change moves it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    numbers: [i64; 2],
    id: String,
}

impl Position {
    pub(crate) fn new(numbers: [i64; 2], id: impl fmt::Display) -> Self {
        Self { numbers, id: id.to_string() }
    }

    /// Returns the numbers and the id.
    pub(crate) fn into_parts(self) -> ([i64; 2], String) {
        (self.numbers, self.id)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let [first, second] = self.numbers.map(i64::to_be_bytes);
        [first.as_slice(), second.as_slice(), self.id.as_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (first, rest) = bytes.split_first_chunk()?;
        let (second, id) = rest.split_first_chunk()?;
        let numbers = [i64::from_be_bytes(*first), i64::from_be_bytes(*second)];
        Some(Self { numbers, id: String::from_utf8(id.to_vec()).ok()? })
    }
}

/// The text that a cursor's checksum is bound to: the member and the query.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct QueryBinding(String);

/// Omits the query, which contains texts of the user.
impl fmt::Debug for QueryBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryBinding").finish_non_exhaustive()
    }
}

impl QueryBinding {
    /// Binds cursors to a member and a query. The `Debug` text of a query names its type and quotes every string, so
    /// different queries have different texts.
    pub(crate) fn new(Member { user, family }: &Member, query: &impl fmt::Debug) -> Self {
        Self(format!("{} {user} {family} {query:?}", env!("CARGO_PKG_VERSION")))
    }

    /// Returns the cursor after the record at a position.
    pub(crate) fn cursor(&self, position: &Position) -> Cursor {
        let position = position.to_bytes();
        Cursor(bs58::encode([self.checksum(&position).as_slice(), &position].concat()).into_string())
    }

    /// Returns the position in a cursor.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the cursor is damaged, or belongs to another user, family or query.
    pub(crate) fn position(&self, cursor: &Cursor) -> Result<Position, InvalidQuery> {
        self.decode(cursor).ok_or(INVALID_CURSOR)
    }

    fn decode(&self, cursor: &Cursor) -> Option<Position> {
        let bytes = bs58::decode(&cursor.0).into_vec().ok()?;
        let (checksum, position) = bytes.split_at_checked(CHECKSUM_LENGTH)?;
        (self.checksum(position) == checksum).then(|| Position::from_bytes(position))?
    }

    fn checksum(&self, position: &[u8]) -> [u8; CHECKSUM_LENGTH] {
        let digest = Sha256::new().chain_update(&self.0).chain_update([0]).chain_update(position).finalize();
        let (first_half, _) = digest.split::<U16>();
        first_half.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(user: &str, family: &str, query: &str) -> QueryBinding {
        QueryBinding::new(&Member { user: user.parse().unwrap(), family: family.parse().unwrap() }, &query)
    }

    #[test]
    fn a_cursor_returns_the_position_to_the_same_user_and_query() {
        let binding = binding("ana", "f", "query");
        for position in [
            Position::new([0, 0], "a"),
            Position::new([i64::MIN, i64::MAX], "x".repeat(64)),
            Position::new([-1, 1], "0-_Z"),
        ] {
            let cursor = binding.cursor(&position);
            assert!(cursor.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()), "{cursor}");
            assert_eq!(binding.position(&cursor.as_str().parse().unwrap()), Ok(position));
        }
    }

    #[test]
    fn a_cursor_of_another_user_family_or_query_is_invalid() {
        let cursor = binding("ana", "f", "query").cursor(&Position::new([1, 2], "a"));
        for other in [binding("bob", "f", "query"), binding("ana", "g", "query"), binding("ana", "f", "quer")] {
            assert_eq!(other.position(&cursor), Err(INVALID_CURSOR));
        }
    }

    #[test]
    fn every_changed_or_cut_cursor_is_invalid() {
        let binding = binding("ana", "f", "query");
        let cursor = binding.cursor(&Position::new([1, 2], "task"));
        let text = cursor.as_str();
        for at in 0..text.len() {
            assert!(binding.position(&Cursor(text[..at].to_owned())).is_err(), "cut at {at}");
            for other in ["1", "z", "é", " "] {
                let changed = Cursor(format!("{}{other}{}", &text[..at], &text[at + 1..]));
                assert!(changed == cursor || binding.position(&changed).is_err(), "{changed}");
            }
        }
        assert!(binding.position(&Cursor(format!("{text}2"))).is_err());
    }

    #[test]
    fn a_cursor_has_a_maximum_length() {
        let id = format!("{} 2026-12-08T18:30:00", "x".repeat(64));
        let longest = binding("ana", "f", "").cursor(&Position::new([i64::MIN, i64::MIN], id));
        assert!(longest.as_str().len() <= MAX_LENGTH);
        assert_eq!("x".repeat(MAX_LENGTH + 1).parse::<Cursor>(), Err(INVALID_CURSOR));
        assert_eq!("".parse::<Cursor>(), Err(INVALID_CURSOR));
    }
}

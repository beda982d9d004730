//! The changed occurrences of an event.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use super::LocalStart;
use crate::id::UserId;
use crate::timestamp::Timestamp;
use crate::validation::Field;

/// The maximum number of changed occurrences of an event.
pub const MAX_OVERRIDES: usize = 200;

/// The maximum size of all changed occurrences of an event as JSON, in bytes.
pub const MAX_OVERRIDES_BYTES: usize = 65_536;

/// A changed occurrence of a recurring event (RFC 5545, section 3.8.4.4). It replaces the occurrence that the rule makes
/// at `recurrenceId`. An absent field has the value of the event, and null clears the field for this occurrence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// When the occurrence starts by the rule, in the time zone of the event: a local date and time, or a date if the
    /// event takes whole days.
    pub recurrence_id: LocalStart,
    /// When the occurrence starts.
    pub start_date: Timestamp,
    /// When the occurrence ends.
    pub end_date: Timestamp,
    /// Title.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub title: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Field::is_kept")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub description: Field<String>,
    /// Display emoji.
    #[serde(default, skip_serializing_if = "Field::is_kept")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub emoji: Field<String>,
    /// Display colour.
    #[serde(default, skip_serializing_if = "Field::is_kept")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub color: Field<String>,
    /// Place, as free text.
    #[serde(default, skip_serializing_if = "Field::is_kept")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub location: Field<String>,
    /// The user that the occurrence is assigned to.
    #[serde(default, skip_serializing_if = "Field::is_kept")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<UserId>"))]
    pub assignee_id: Field<UserId>,
    /// The users who take part in the occurrence.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<UserId>"))]
    pub participant_ids: Option<Vec<UserId>>,
}

/// Reads a field that can be absent, but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Option<T>, D::Error> {
    T::deserialize(input).map(Some)
}

/// The changed occurrences of an event, ordered by `recurrenceId`, each once: at most [`MAX_OVERRIDES`], with at most
/// [`MAX_OVERRIDES_BYTES`] of JSON.
///
/// ```
/// use family_api_types::occurrences::{Override, Overrides};
///
/// let moved = Override::new(
///     "2026-12-08T18:30:00".parse()?,
///     "2026-12-09T16:30:00Z".parse()?,
///     "2026-12-09T17:30:00Z".parse()?,
/// );
/// let overrides = Overrides::new(vec![moved])?;
/// assert_eq!(overrides.to_string().parse(), Ok(overrides));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Override>", into = "Vec<Override>")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "Vec<Override>"))]
pub struct Overrides(Vec<Override>);

/// The changed occurrences of an event are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidOverrides {
    /// The text is not the JSON of a list of [`Override`]s.
    #[error("expected a list of changed occurrences")]
    Malformed,
    /// Two changes have the same `recurrenceId`.
    #[error("expected each `recurrenceId` once")]
    Repeated,
    /// An occurrence ends before it starts.
    #[error("expected an `endDate` that is not before the `startDate`")]
    EndBeforeStart,
    /// There are too many.
    #[error("expected at most {MAX_OVERRIDES} changed occurrences")]
    TooMany,
    /// They are too long.
    #[error("expected at most {MAX_OVERRIDES_BYTES} bytes of changed occurrences")]
    TooLong,
}

impl Override {
    /// The names of the fields in JSON.
    pub const FIELDS: [&str; 10] = [
        "recurrenceId",
        "startDate",
        "endDate",
        "title",
        "description",
        "emoji",
        "color",
        "location",
        "assigneeId",
        "participantIds",
    ];

    /// Creates a change that moves an occurrence to other instants, or leaves it at its own, and changes nothing else.
    #[must_use]
    pub fn new(recurrence_id: LocalStart, start_date: Timestamp, end_date: Timestamp) -> Self {
        Self {
            recurrence_id,
            start_date,
            end_date,
            title: None,
            description: Field::Keep,
            emoji: Field::Keep,
            color: Field::Keep,
            location: Field::Keep,
            assignee_id: Field::Keep,
            participant_ids: None,
        }
    }
}

impl Overrides {
    /// Sorts and checks changed occurrences.
    ///
    /// # Errors
    /// [`InvalidOverrides`] if one is invalid, or if they exceed a limit.
    pub fn new(mut overrides: Vec<Override>) -> Result<Self, InvalidOverrides> {
        if overrides.len() > MAX_OVERRIDES {
            return Err(InvalidOverrides::TooMany);
        }
        if overrides.iter().any(|change| change.end_date < change.start_date) {
            return Err(InvalidOverrides::EndBeforeStart);
        }
        overrides.sort_by_key(|change| change.recurrence_id);
        if overrides.is_sorted_by(|one, next| one.recurrence_id < next.recurrence_id) {
            let overrides = Self(overrides);
            if overrides.to_string().len() > MAX_OVERRIDES_BYTES {
                return Err(InvalidOverrides::TooLong);
            }
            return Ok(overrides);
        }
        Err(InvalidOverrides::Repeated)
    }

    /// Returns the changed occurrences, ordered by `recurrenceId`.
    #[must_use]
    pub fn as_slice(&self) -> &[Override] {
        &self.0
    }

    /// Returns the changed occurrences, ordered by `recurrenceId`.
    #[must_use]
    pub fn into_vec(self) -> Vec<Override> {
        self.0
    }

    /// Returns whether no occurrence is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the change of an occurrence, if there is one.
    #[must_use]
    pub fn find(&self, start: LocalStart) -> Option<&Override> {
        let at = self.0.binary_search_by_key(&start, |change| change.recurrence_id).ok()?;
        self.0.get(at)
    }
}

/// Writes the JSON that storages keep: equal overrides have equal bytes.
impl std::fmt::Display for Overrides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(&self.0).map_err(|_| std::fmt::Error)?)
    }
}

impl FromStr for Overrides {
    type Err = InvalidOverrides;

    fn from_str(json: &str) -> Result<Self, InvalidOverrides> {
        Self::new(serde_json::from_str(json).map_err(|_| InvalidOverrides::Malformed)?)
    }
}

impl TryFrom<Vec<Override>> for Overrides {
    type Error = InvalidOverrides;

    fn try_from(overrides: Vec<Override>) -> Result<Self, InvalidOverrides> {
        Self::new(overrides)
    }
}

impl From<Overrides> for Vec<Override> {
    fn from(overrides: Overrides) -> Self {
        overrides.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(day: &str) -> Override {
        let at = format!("{day}T12:00:00Z").parse().unwrap();
        Override::new(day.parse().unwrap(), at, at)
    }

    #[test]
    fn json_of_any_order_and_form_becomes_the_same_text() {
        let input = r#"[
            {"endDate": "2026-12-09T18:30:00+01:00", "recurrenceId": "2026-12-08", "startDate": "2026-12-09T16:30:00Z"},
            {"recurrenceId": "2026-12-01", "startDate": "2026-12-01T00:00:00Z", "endDate": "2026-12-02T00:00:00Z",
             "participantIds": [], "assigneeId": null, "location": "\u0043lub", "color": null, "emoji": "🎹",
             "description": null, "title": "Piano", "unknown": 1}
        ]"#;
        let stored = concat!(
            r#"[{"recurrenceId":"2026-12-01","startDate":"2026-12-01T00:00:00.000Z","#,
            r#""endDate":"2026-12-02T00:00:00.000Z","title":"Piano","description":null,"emoji":"🎹","color":null,"#,
            r#""location":"Club","assigneeId":null,"participantIds":[]},"#,
            r#"{"recurrenceId":"2026-12-08","startDate":"2026-12-09T16:30:00.000Z","#,
            r#""endDate":"2026-12-09T17:30:00.000Z"}]"#,
        );
        let overrides: Overrides = input.parse().unwrap();
        assert_eq!(overrides.to_string(), stored);
        assert_eq!(stored.parse(), Ok(overrides.clone()));
        assert_eq!(serde_json::to_string(&overrides).unwrap(), stored);
        assert_eq!(serde_json::from_str::<Overrides>(stored).unwrap(), overrides);
        let json = serde_json::to_value(&overrides.as_slice()[0]).unwrap();
        assert!(json.as_object().unwrap().keys().all(|name| Override::FIELDS.contains(&name.as_str())));
        assert_eq!(json.as_object().unwrap().len(), Override::FIELDS.len());
    }

    #[test]
    fn a_change_is_found_by_its_local_start() {
        let overrides = Overrides::new(vec![on("2026-12-08"), on("2026-12-01")]).unwrap();
        assert_eq!(overrides.find("2026-12-08".parse().unwrap()), Some(&on("2026-12-08")));
        assert_eq!(overrides.find("2026-12-08T12:00:00".parse().unwrap()), None);
        assert!(Overrides::default().is_empty() && !overrides.is_empty());
    }

    #[test]
    fn invalid_and_repeated_changes_are_refused() {
        assert_eq!("[{}]".parse::<Overrides>(), Err(InvalidOverrides::Malformed));
        assert_eq!("null".parse::<Overrides>(), Err(InvalidOverrides::Malformed));
        assert_eq!(Overrides::new(vec![on("2026-12-08"), on("2026-12-08")]), Err(InvalidOverrides::Repeated));
        let mut reversed = on("2026-12-08");
        reversed.end_date = "2026-12-08T11:59:59Z".parse().unwrap();
        assert_eq!(Overrides::new(vec![reversed]), Err(InvalidOverrides::EndBeforeStart));
    }

    #[test]
    fn the_number_and_the_size_are_limited() {
        let first: jiff::civil::Date = "2026-01-01".parse().unwrap();
        let series = |count: usize| -> Vec<_> {
            first.series(jiff::ToSpan::days(1)).take(count).map(|day| on(&day.to_string())).collect()
        };
        assert!(Overrides::new(series(MAX_OVERRIDES)).is_ok());
        assert_eq!(Overrides::new(series(MAX_OVERRIDES + 1)), Err(InvalidOverrides::TooMany));
        let of_size = |size: usize| {
            let mut long = on("2026-12-08");
            long.title = Some(String::new());
            let rest = Overrides::new(vec![long.clone()]).unwrap().to_string().len();
            long.title = Some("x".repeat(size - rest));
            Overrides::new(vec![long])
        };
        assert_eq!(of_size(MAX_OVERRIDES_BYTES).unwrap().to_string().len(), MAX_OVERRIDES_BYTES);
        assert_eq!(of_size(MAX_OVERRIDES_BYTES + 1), Err(InvalidOverrides::TooLong));
    }
}

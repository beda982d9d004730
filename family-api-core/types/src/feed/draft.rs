//! The bodies of a new feed and of a change of a feed.

use serde::Serialize;
use serde_json::{Value, json};

use super::settings::{FeedDetail, FeedLanguage, FeedSettings, FeedShows, MAX_FEED_BOARDS, MAX_FEED_PERSONS};
use crate::id::{BoardId, Id, UserId};
use crate::key::{Expiry, NAME};
use crate::timestamp::Timestamp;
use crate::validation::body_fields::{BodyFields, BodySchema, Rule};
use crate::validation::{BodyReader, Faults, FieldErrors, Json};

/// A new feed (HTTP reference, "Calendar feeds"). The JSON of a draft is the body of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedDraft {
    /// What the feed shows.
    #[serde(flatten)]
    pub settings: FeedSettings,
    /// When the feed ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl FeedDraft {
    /// Creates a draft of a feed that does not expire.
    #[must_use]
    pub fn new(settings: FeedSettings) -> Self {
        Self { settings, expires_at: None }
    }

    /// Sets the end of the feed. It must be in the future and at most 10 years from now.
    #[must_use]
    pub fn expires_at(self, at: Timestamp) -> Self {
        Self { expires_at: Some(at), ..self }
    }

    /// Parses the body of a request to create a feed.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json, now: Timestamp) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| Self::declare(fields, now))
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        let example = json!({ "name": "Family", "shows": "both" });
        BodySchema::of("The calendar feed to create.", example, |fields| Self::declare(fields, Timestamp::MIN))
    }

    fn declare(fields: &mut impl BodyFields, now: Timestamp) -> Option<Self> {
        let name = fields.required("name", NAME, NAME_MEANS);
        let choices = FeedUpdate::declare_choices(fields);
        let expires_at = fields.nullable(
            "expiresAt",
            Expiry { now },
            "When the feed ends: a time in the future, at most 10 years from now. If it is null or missing, the feed \
             does not end.",
        );
        let mut settings = FeedSettings::new(name?);
        choices.apply(&mut settings);
        Some(Self { settings, expires_at: expires_at.set() })
    }
}

/// A change of a feed. Its address stays the same. The JSON of a change is the body of the request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedUpdate {
    /// The name of the calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which records the feed shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<FeedShows>,
    /// How much of each record the feed shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<FeedDetail>,
    /// The users of whom the feed shows records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person_ids: Option<Vec<UserId>>,
    /// The boards of which the feed shows tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_ids: Option<Vec<BoardId>>,
    /// The language of the words that the feed adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<FeedLanguage>,
}

impl FeedUpdate {
    /// Creates a change without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how much of each record the feed shows.
    #[must_use]
    pub fn detail(self, detail: FeedDetail) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// Returns whether the change has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Replaces the settings that the change names.
    pub fn apply(self, settings: &mut FeedSettings) {
        fn replace<T>(setting: &mut T, change: Option<T>) {
            if let Some(change) = change {
                *setting = change;
            }
        }
        replace(&mut settings.name, self.name);
        replace(&mut settings.shows, self.shows);
        replace(&mut settings.detail, self.detail);
        replace(&mut settings.person_ids, self.person_ids);
        replace(&mut settings.board_ids, self.board_ids);
        replace(&mut settings.language, self.language);
    }

    /// Parses the body of a request to change a feed.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| Some(Self::declare(fields)))
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        BodySchema::of(
            "Changes the fields that are present. Other fields keep their values.",
            json!({ "detail": "busy" }),
            Self::declare::<BodySchema>,
        )
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Self {
        let name = fields.optional("name", NAME, NAME_MEANS);
        Self { name, ..Self::declare_choices(fields) }
    }

    fn declare_choices(fields: &mut impl BodyFields) -> Self {
        Self {
            name: None,
            shows: fields.optional("shows", SHOWS, "Which records the feed shows."),
            detail: fields.optional(
                "detail",
                DETAIL,
                "How much the feed shows of each record: everything, or only when it takes time.",
            ),
            person_ids: fields.optional(
                "personIds",
                Ids { max: MAX_FEED_PERSONS, new: UserId::try_from },
                "Shows only what one of these users is assigned to or takes part in. An empty list shows everything.",
            ),
            board_ids: fields.optional(
                "boardIds",
                Ids { max: MAX_FEED_BOARDS, new: BoardId::try_from },
                "Shows only the tasks on these boards. An empty list shows the tasks of all boards.",
            ),
            language: fields.optional("language", LANGUAGE, "The language of the words that the feed adds."),
        }
    }
}

const NAME_MEANS: &str =
    "The name of the calendar, 1 to 100 characters after trimming, without control characters. It is stored trimmed.";

/// The rule for one of several names.
struct Choice<T: 'static> {
    all: &'static [T],
    name: fn(T) -> &'static str,
    expected: &'static str,
}

const SHOWS: Choice<FeedShows> =
    Choice { all: FeedShows::ALL, name: FeedShows::as_str, expected: "expected one of events, tasks, both" };

const DETAIL: Choice<FeedDetail> =
    Choice { all: FeedDetail::ALL, name: FeedDetail::as_str, expected: "expected one of full, busy" };

const LANGUAGE: Choice<FeedLanguage> =
    Choice { all: FeedLanguage::ALL, name: FeedLanguage::as_str, expected: "expected one of en, uk, es, de" };

impl<T: Copy> Rule for Choice<T> {
    type Value = T;

    fn read(&self, value: &Json) -> Result<T, FieldErrors> {
        let name = value.as_str().unwrap_or_default();
        let found = self.all.iter().copied().find(|choice| (self.name)(*choice) == name);
        Ok(found.ok_or(self.expected)?)
    }

    fn schema(&self) -> Value {
        let names: Vec<_> = self.all.iter().map(|choice| (self.name)(*choice)).collect();
        json!({ "type": "string", "enum": names })
    }
}

/// The rule for a list of at most `max` ids, which is stored without repetitions.
struct Ids<I> {
    max: usize,
    new: fn(String) -> Result<I, crate::id::InvalidId>,
}

impl<I: Id> Rule for Ids<I> {
    type Value = Vec<I>;

    fn read(&self, value: &Json) -> Result<Vec<I>, FieldErrors> {
        let Json::Array(elements) = value else {
            return Err("expected an array of identifiers".into());
        };
        if elements.len() > self.max {
            return Err(format!("must have at most {} elements", self.max).into());
        }
        let mut ids = Vec::with_capacity(elements.len());
        let mut faults = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            match element.as_str().map(|text| (self.new)(text.to_owned())) {
                Some(Ok(id)) if ids.contains(&id) => {}
                Some(Ok(id)) => ids.push(id),
                _ => faults.push((index, "expected an identifier")),
            }
        }
        FieldErrors::of_elements(faults).into_result(ids)
    }

    fn schema(&self) -> Value {
        json!({
            "type": "array",
            "maxItems": self.max,
            "items": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" },
            "examples": [[]],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(body: &Value) -> Result<FeedDraft, Faults> {
        FeedDraft::from_body(Json::parse(body.to_string().as_bytes()).unwrap(), Timestamp::MIN)
    }

    fn update(body: &Value) -> Result<FeedUpdate, Faults> {
        FeedUpdate::from_body(Json::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn a_draft_with_a_name_shows_all_events() {
        let parsed = draft(&json!({ "name": " Family " })).unwrap();
        assert_eq!(parsed, FeedDraft::new(FeedSettings::new("Family")));
        assert_eq!(draft(&json!(parsed)).unwrap(), parsed);
    }

    #[test]
    fn every_fault_of_a_draft_is_named() {
        let too_many: Vec<_> = (0..=MAX_FEED_PERSONS).map(|number| format!("u{number}")).collect();
        let faults = draft(&json!({
            "name": "", "shows": "all", "detail": null, "personIds": too_many, "boardIds": ["b", "no id"], "language": "fr",
            "expiresAt": "tomorrow", "secret": "x",
        }));
        assert_eq!(faults.unwrap_err().count(), 8);
        assert!(draft(&json!({})).is_err());
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let change = update(&json!({ "detail": "busy", "personIds": ["ana", "ana", "ben"] })).unwrap();
        let mut settings = FeedSettings::new("Family");
        change.clone().apply(&mut settings);
        assert_eq!(
            (settings.name.as_str(), settings.detail, settings.person_ids.len()),
            ("Family", FeedDetail::Busy, 2)
        );
        assert_eq!(update(&json!(change)).unwrap(), change);
        assert!(update(&json!({})).unwrap().is_empty());
        assert!(update(&json!({ "expiresAt": null })).is_err());
    }
}

//! The query for occurrences of events.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::UserId;
use crate::occurrences::{DayRange, Expansion, MAX_OCCURRENCES, OccurrenceRef, Override};
use crate::query::{Page, Position, QueryContext, SearchText};
use crate::resource::{Event, InvalidQuery, Occurrence, Person};
use crate::validation::Field;

/// Number of days from the first to the last day, if the query names no last day.
const DEFAULT_SPAN: i64 = 7;

/// The same for a query with a text: the longest range.
const SEARCHED_SPAN: i64 = 365;

/// Selects occurrences of events that overlap a range of days: days in the user's time zone, and for an all-day event, in
/// its own. Both days are inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// The first day. Default: today.
    pub from: Option<Date>,
    /// The last day, at most 365 days after the first. Default: 7 days after the first day, or 365 days if there is a
    /// text.
    pub to: Option<Date>,
    /// Words in the title, the description or the location.
    pub text: Option<SearchText>,
    /// Only occurrences that concern this user: as the assignee, as a participant, or because they have neither and so
    /// concern the whole family.
    pub person: Option<UserId>,
}

/// A page of occurrences, ordered by start and id.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundOccurrences {
    /// The first day of the range.
    pub from: Date,
    /// The last day of the range.
    pub to: Date,
    /// The occurrences.
    pub page: Page<Occurrence>,
    /// The members of the family, if any event names participants or a changed occurrence names an assignee.
    pub members: Vec<Person>,
    /// Whether occurrences may be missing on all pages
    /// ([`Occurrences::is_cut`](crate::occurrences::Occurrences::is_cut)).
    pub is_cut: bool,
}

impl EventQuery {
    /// Returns the days of the query.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the last day is before today and there is no first day, or as [`day_range`].
    pub(crate) fn days(&self, context: QueryContext<'_>) -> Result<DayRange, InvalidQuery> {
        let today = context.zone.day_of(context.now);
        if self.from.is_none() && self.to.is_some_and(|to| to < today) {
            return Err(InvalidQuery {
                parameter: "to",
                expected: "a day that is not before today, unless `from` is given",
            });
        }
        let from = self.from.unwrap_or(today);
        let span = if self.text.is_some() { SEARCHED_SPAN } else { DEFAULT_SPAN };
        let to = self.to.unwrap_or_else(|| from.saturating_add(span.days()));
        day_range(from, to)
    }

    /// Selects the occurrences that contain the text and concern the person.
    pub(crate) fn select<'e>(&self, events: &'e [Event], days: DayRange, reader: &Zone) -> Expansion<'e> {
        if self.text.is_none() && self.person.is_none() {
            return Expansion::of(events.iter(), reader, days, MAX_OCCURRENCES);
        }
        let has_text = |event: &&Event| self.text.as_ref().is_none_or(|text| text.is_in(texts(event)));
        let has_person = |event: &&Event| self.concerns(event.assignee_id.as_ref(), &event.participant_ids);
        let matches = |event: &&Event| has_text(event) && has_person(event);
        let mut found = Expansion::of(events.iter().filter(matches), reader, days, MAX_OCCURRENCES);
        // The others are expanded apart, because most of their occurrences do not match.
        let may_match = |event: &&Event| {
            let mut changes = event.overrides.as_slice().iter();
            !matches(event) && changes.any(|change| self.may_match(event, change))
        };
        let changed = Expansion::of(events.iter().filter(may_match), reader, days, MAX_OCCURRENCES);
        found.is_cut |= changed.is_cut;
        found.unexpanded.extend(changed.unexpanded);
        found.items.extend(changed.items);
        found.items.retain(|occurrence| {
            let has_text = self.text.as_ref().is_none_or(|text| text.is_in(occurrence.texts()));
            has_text && self.concerns(occurrence.assignee_id(), occurrence.participant_ids())
        });
        found.items.sort_by_cached_key(position);
        found.is_cut |= found.items.len() > MAX_OCCURRENCES;
        found.items.truncate(MAX_OCCURRENCES);
        found
    }

    /// Returns whether an occurrence of an event may match with a change.
    fn may_match(&self, event: &Event, change: &Override) -> bool {
        let assignee = change.assignee_id.clone().apply_to(event.assignee_id.clone());
        let participants = change.participant_ids.as_ref().unwrap_or(&event.participant_ids);
        let mut texts = texts(event).chain(changed_texts(change));
        self.text.as_ref().is_none_or(|text| text.is_in(&mut texts)) && self.concerns(assignee.as_ref(), participants)
    }

    /// Returns whether what these people do concerns the person.
    fn concerns(&self, assignee: Option<&UserId>, participants: &[UserId]) -> bool {
        let Some(person) = &self.person else { return true };
        let concerns_all = assignee.is_none() && participants.is_empty();
        concerns_all || assignee == Some(person) || participants.contains(person)
    }
}

fn changed_texts(change: &Override) -> impl Iterator<Item = &str> {
    let others = [&change.description, &change.location].into_iter().filter_map(|field| match field {
        Field::Set(text) => Some(text.as_str()),
        Field::Keep | Field::Clear => None,
    });
    change.title.as_deref().into_iter().chain(others)
}

fn texts(event: &Event) -> impl Iterator<Item = &str> {
    let optional = [&event.description, &event.location].into_iter().flatten();
    std::iter::once(&event.title).chain(optional).map(String::as_str)
}

/// Tells whether a changed occurrence names an assignee, so that the members are needed to show the occurrences.
pub(crate) fn name_assignee(events: &[Event]) -> bool {
    let mut changes = events.iter().flat_map(|event| event.overrides.as_slice());
    changes.any(|change| matches!(change.assignee_id, Field::Set(_)))
}

/// Tells whether an event names users that it has only by their ids, so that the members are needed to name them.
pub(crate) fn name_people(events: &[Event]) -> bool {
    let names_participants = |event: &Event| {
        let mut lists = event.overrides.as_slice().iter().filter_map(|change| change.participant_ids.as_ref());
        !event.participant_ids.is_empty() || lists.any(|participants| !participants.is_empty())
    };
    name_assignee(events) || events.iter().any(names_participants)
}

/// Creates a range of days from `from` to `to`, both inclusive.
///
/// # Errors
/// [`InvalidQuery`] if `from` is after `to`, or the range has more than 366 days.
pub(crate) fn day_range(from: Date, to: Date) -> Result<DayRange, InvalidQuery> {
    if from > to {
        return Err(InvalidQuery { parameter: "from", expected: "a day that is not after `to`" });
    }
    let too_long = InvalidQuery { parameter: "to", expected: "a day at most 365 days after `from`" };
    DayRange::new(from, to).map_err(|_| too_long)
}

/// Returns the instants from which a storage must list events, so that no occurrence in the days is missing: three days
/// more at each end. The days of an all-day event are those of its own zone, and zones are up to 26 hours apart. If a
/// clock is set back across midnight, a local day has moments before its start or after its end.
pub(crate) fn overlapping_instants(days: DayRange, zone: &Zone) -> Range<Timestamp> {
    let before = days.first().saturating_sub(3.days());
    let after = days.last().checked_add(4.days());
    zone.start_of_day(before)..after.map_or(Timestamp::MAX, |after| zone.start_of_day(after))
}

/// Returns the sort key of an occurrence: the start, the id of the event, and the start by the rule, because a changed
/// occurrence can start with another one of its event. No id contains a space, and no character of an id is before it.
pub(crate) fn position(occurrence: &OccurrenceRef<'_>) -> Position {
    let numbers = [occurrence.start().as_millis(), 0];
    match occurrence.recurrence_id() {
        Some(by_rule) => Position::new(numbers, format_args!("{} {by_rule}", occurrence.event_id())),
        None => Position::new(numbers, occurrence.event_id()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    use crate::calendar::parse_date;
    use crate::occurrences::Overrides;
    use crate::query::testing::NOW;

    fn days(from: Option<&str>, to: Option<&str>) -> Result<(String, String), &'static str> {
        days_with(from, to, None)
    }

    fn days_with(
        from: Option<&str>,
        to: Option<&str>,
        text: Option<SearchText>,
    ) -> Result<(String, String), &'static str> {
        let user = "ana".parse().unwrap();
        let zone = "Pacific/Auckland".parse().unwrap();
        let context = QueryContext { user: &user, now: NOW.parse().unwrap(), zone: &zone };
        let day = |text: Option<&str>| text.map(|text| parse_date(text).unwrap());
        let query = EventQuery { from: day(from), to: day(to), text, ..EventQuery::default() };
        let range = query.days(context).map_err(|invalid| invalid.parameter)?;
        Ok((range.first().to_string(), range.last().to_string()))
    }

    fn range(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn occurrences_of_changed_events_do_not_displace_those_that_match() {
        let at: Timestamp = "2026-11-24T09:00:00Z".parse().unwrap();
        let event = |id: &str, title: &str| Event::new(id.parse().unwrap(), title, at, at, at);
        let key = "2026-11-25T09:00:00".parse().unwrap();
        let change = Override { title: Some("Dentist of Nina".to_owned()), ..Override::new(key, at, at) };
        let daily = |id: &str| Event {
            recurrence: Some("FREQ=DAILY".to_owned()),
            overrides: Overrides::new(vec![change.clone()]).unwrap(),
            ..event(id, "Walk")
        };
        let late = "2027-10-01T09:00:00Z".parse().unwrap();
        let dentist = Event { start_date: late, end_date: late, ..event("late", "Dentist") };
        let events = [daily("a"), daily("b"), daily("c"), dentist];
        let query = EventQuery { text: Some("dentist".parse().unwrap()), ..EventQuery::default() };
        let days = day_range(date(2026, 11, 24), date(2027, 11, 23)).unwrap();
        let found = query.select(&events, days, &Zone::utc());
        let ids: Vec<_> = found.items.iter().map(|item| item.event_id().as_str()).collect();
        assert_eq!(ids, ["a", "b", "c", "late"]);
    }

    #[test]
    fn a_person_selects_the_occurrences_that_concern_it() {
        let at: Timestamp = "2026-11-24T09:00:00Z".parse().unwrap();
        let (ana, ben): (UserId, UserId) = ("ana".parse().unwrap(), "ben".parse().unwrap());
        let event = |id: &str| Event::new(id.parse().unwrap(), id, at, at, at);
        let with = |id: &str, people: &[&UserId]| Event {
            participant_ids: people.iter().map(|&person| person.clone()).collect(),
            ..event(id)
        };
        let daily = |event: Event, change: Override| Event {
            recurrence: Some("FREQ=DAILY;COUNT=3".to_owned()),
            overrides: Overrides::new(vec![change]).unwrap(),
            ..event
        };
        let change = || Override::new("2026-11-25T09:00:00".parse().unwrap(), at, at);
        let events = [
            Event { assignee_id: Some(ana.clone()), ..event("a-assigned") },
            with("b-both", &[&ben, &ana]),
            with("c-ben", &[&ben]),
            event("d-family"),
            // The changed occurrence is of another person.
            daily(with("e-gains", &[&ben]), Override { participant_ids: Some(vec![ana.clone()]), ..change() }),
            daily(
                Event { assignee_id: Some(ana.clone()), ..event("f-loses") },
                Override { assignee_id: Field::Set(ben.clone()), ..change() },
            ),
        ];
        let days = day_range(date(2026, 11, 24), date(2026, 11, 30)).unwrap();
        let ids = |query: &EventQuery| -> Vec<String> {
            let found = query.select(&events, days, &Zone::utc());
            found.items.iter().map(|item| item.to_occurrence(&[]).id.to_string()).collect()
        };
        let of = |person: &UserId| EventQuery { person: Some(person.clone()), ..EventQuery::default() };
        assert_eq!(
            ids(&of(&ana)),
            [
                "a-assigned",
                "b-both",
                "d-family",
                "e-gains@20261125T090000Z",
                "f-loses@20261124T090000Z",
                "f-loses@20261126T090000Z"
            ]
        );
        assert_eq!(ids(&of(&"eve".parse().unwrap())), ["d-family"]);
        let text = Some("both family".parse().unwrap());
        assert_eq!(ids(&EventQuery { text, ..of(&ana) }), [""; 0]);
        let text = Some("f-loses".parse().unwrap());
        assert_eq!(ids(&EventQuery { text, ..of(&ben) }), ["f-loses@20261125T090000Z"]);
    }

    #[test]
    fn the_default_is_today_in_the_users_zone_and_the_next_7_days() {
        assert_eq!(days(None, None), Ok(range("2026-11-20", "2026-11-27")));
        assert_eq!(days(Some("2027-01-01"), None), Ok(range("2027-01-01", "2027-01-08")));
        assert_eq!(days(None, Some("2026-11-20")), Ok(range("2026-11-20", "2026-11-20")));
        assert_eq!(days(Some("9999-12-31"), None), Ok(range("9999-12-31", "9999-12-31")));
    }

    #[test]
    fn a_query_with_a_text_looks_a_year_ahead() {
        let text: Option<SearchText> = Some("dentist".parse().unwrap());
        assert_eq!(days_with(None, None, text.clone()), Ok(range("2026-11-20", "2027-11-20")));
        assert_eq!(days_with(None, Some("2026-11-21"), text), Ok(range("2026-11-20", "2026-11-21")));
    }

    #[test]
    fn a_reversed_range_and_one_over_366_days_are_invalid() {
        assert_eq!(days(None, Some("2026-11-19")), Err("to"));
        assert_eq!(days(Some("2026-11-20"), Some("2026-11-19")), Err("from"));
        assert_eq!(days(Some("2027-01-01"), Some("2028-01-02")), Err("to"));
        assert_eq!(days(Some("2027-01-01"), Some("2028-01-01")), Ok(range("2027-01-01", "2028-01-01")));
        assert_eq!(days(Some("0001-01-01"), Some("9999-12-31")), Err("to"));
    }

    #[test]
    fn storages_are_asked_for_three_more_days_at_each_end() {
        let day = parse_date("2026-11-20").unwrap();
        let instants = overlapping_instants(day_range(day, day).unwrap(), &Zone::utc());
        assert_eq!(instants.start.to_string(), "2026-11-17T00:00:00.000Z");
        assert_eq!(instants.end.to_string(), "2026-11-24T00:00:00.000Z");
        for day in ["0001-01-01", "9999-12-31"].map(|day| parse_date(day).unwrap()) {
            let instants = overlapping_instants(day_range(day, day).unwrap(), &Zone::utc());
            assert!(instants.start < instants.end, "{instants:?}");
        }
    }
}

//! A recurrence: a rule with its exceptions and additions, as the field `recurrence` of an event stores it.

use std::str::FromStr;

use jiff::civil::{Date, DateTime};

use super::InvalidRecurrence;
use super::exclusions::seconds;
use super::moment::Moment;
use super::rule::{End, Rule};
use crate::calendar::Zone;
use crate::timestamp::Timestamp;

/// The maximum length of a recurrence, in bytes.
pub const MAX_RECURRENCE_LENGTH: usize = 4_096;

/// A valid recurrence (RFC 5545): a rule, the excluded occurrences, and additional ones.
///
/// The first line is the value of an `RRULE`, with or without the name. Further lines are `EXDATE` and `RDATE`, with
/// moments in UTC, in a zone (`TZID`), in the zone of the event, or as whole days (`VALUE=DATE`).
///
/// - `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. Within a day, clock changes would repeat and drop occurrences,
///   so `HOURLY`, `MINUTELY` and `SECONDLY` are refused. `BYHOUR` gives several occurrences a day.
/// - A whole day as `UNTIL` or `EXDATE` of a timed event means every occurrence of that local day.
/// - `BYWEEKNO` alone takes its weekday from the start of the event.
///
/// ```
/// use family_api_types::occurrences::Recurrence;
///
/// assert!(Recurrence::parse("FREQ=WEEKLY;BYDAY=MO").is_ok());
/// assert!(Recurrence::parse("RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Kyiv:20261124T183000").is_ok());
/// let never = Recurrence::parse("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").unwrap();
/// assert!(never.check_satisfiable().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    rule: Rule,
    excluded: Vec<Moment>,
    additional: Vec<Moment>,
}

impl Recurrence {
    /// Parses a recurrence. A rule that never matches parses too: see [`check_satisfiable`](Self::check_satisfiable).
    ///
    /// # Errors
    /// [`InvalidRecurrence`] says what is expected.
    pub fn parse(text: &str) -> Result<Self, InvalidRecurrence> {
        if text.len() > MAX_RECURRENCE_LENGTH {
            return Err(InvalidRecurrence::expected(format!("at most {MAX_RECURRENCE_LENGTH} bytes")));
        }
        // A line that begins with white space continues the line before it (RFC 5545, section 3.1).
        let unfolded = text.trim_end().replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
        let mut rule = None;
        let mut excluded = Vec::new();
        let mut additional = Vec::new();
        for line in unfolded.split('\n') {
            let (name, parameters, value) = split_line(line);
            match (name.to_ascii_uppercase().as_str(), parameters, value) {
                ("RRULE", "", value) if rule.is_none() => rule = Some(Rule::parse(value)?),
                ("RRULE", ..) => return Err(InvalidRecurrence::expected("one RRULE, without parameters")),
                ("EXDATE", parameters, value) => excluded.extend(parse_moments(parameters, value)?),
                ("RDATE", parameters, value) => additional.extend(parse_moments(parameters, value)?),
                ("DTSTART", ..) => {
                    return Err(InvalidRecurrence::expected("no line DTSTART: an event starts at its startDate"));
                }
                _ => return Err(InvalidRecurrence::expected("one RRULE, and only EXDATE and RDATE beside it")),
            }
        }
        let rule = rule.ok_or_else(|| InvalidRecurrence::expected("an RRULE, such as FREQ=WEEKLY;BYDAY=MO"))?;
        Ok(Self { rule, excluded, additional })
    }

    /// Checks that the rule matches at least one day of some year. The check walks through up to 28 years, which may
    /// take a millisecond. It is for writes and imports: reads only [parse](Self::parse).
    ///
    /// # Errors
    /// [`InvalidRecurrence`] if the rule never matches, such as the 30th of February.
    pub fn check_satisfiable(&self) -> Result<(), InvalidRecurrence> {
        if self.rule.can_occur() {
            Ok(())
        } else {
            Err(InvalidRecurrence::expected("a rule that matches at least one day"))
        }
    }

    pub(super) fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Returns the number of occurrences after which the rule ends, if it has `COUNT`.
    pub(super) fn count(&self) -> Option<u32> {
        match self.rule.end {
            End::Count(count) => Some(count),
            End::Never | End::Until(_) => None,
        }
    }

    /// Tells whether the rule ends after a number of occurrences.
    pub(super) fn has_count(&self) -> bool {
        self.count().is_some()
    }

    /// Returns the number of moments of the `EXDATE` and `RDATE` lines.
    pub(super) fn number_of_moments(&self) -> usize {
        self.excluded.len() + self.additional.len()
    }

    /// Returns the recurrence without its additional occurrences.
    pub(super) fn without_additions(self) -> Self {
        Self { additional: Vec::new(), ..self }
    }

    /// Returns the moments of the `EXDATE` lines.
    pub(super) fn excluded(&self) -> &[Moment] {
        &self.excluded
    }

    /// Returns the starts of the additional occurrences.
    pub(super) fn additional_starts(&self, zone: &Zone, event_start: DateTime) -> impl Iterator<Item = DateTime> {
        self.additional.iter().map(move |moment| moment.start(zone, event_start))
    }

    /// Returns the days of the additional occurrences of an all-day event.
    pub(super) fn additional_days(&self, zone: &Zone) -> impl Iterator<Item = Date> {
        self.additional.iter().map(|moment| moment.day(zone))
    }

    /// Returns the last day that an occurrence of the rule can start on, if the rule has `UNTIL`.
    pub(super) fn last_day(&self, zone: &Zone) -> Option<Date> {
        match self.rule.end {
            End::Until(moment) => Some(moment.day(zone)),
            End::Never | End::Count(_) => None,
        }
    }

    /// Tells whether `UNTIL` permits an occurrence of the rule.
    pub(super) fn permits(&self, zone: &Zone, local: DateTime, is_all_day: bool) -> bool {
        if is_all_day {
            self.last_day(zone).is_none_or(|last| local.date() <= last)
        } else {
            zone.resolve(local).is_some_and(|at| self.permits_start(zone, local, at))
        }
    }

    /// Tells whether `UNTIL` permits a timed occurrence. A moment has no fraction of a second, so a start within the
    /// last second is permitted.
    pub(super) fn permits_start(&self, zone: &Zone, local: DateTime, at: Timestamp) -> bool {
        match self.rule.end {
            End::Never | End::Count(_) => true,
            End::Until(Moment::Day(day)) => local.date() <= day,
            End::Until(until) => until.instant(zone).is_none_or(|until| seconds(at) <= seconds(until)),
        }
    }
}

impl FromStr for Recurrence {
    type Err = InvalidRecurrence;

    fn from_str(text: &str) -> Result<Self, InvalidRecurrence> {
        Self::parse(text)
    }
}

/// Splits a line into its name, parameters and value. A line without a name is the value of an `RRULE`.
pub(super) fn split_line(line: &str) -> (&str, &str, &str) {
    let Some((head, value)) = line.split_once(':') else {
        return ("RRULE", "", line);
    };
    let (name, parameters) = head.split_once(';').unwrap_or((head, ""));
    (name, parameters, value)
}

/// Parses the values of an `EXDATE` or `RDATE` with its parameters.
pub(super) fn parse_moments(parameters: &str, value: &str) -> Result<Vec<Moment>, InvalidRecurrence> {
    let zone = parse_parameters(parameters)?;
    let moments = value.split(',').map(|text| {
        let moment = Moment::parse(text)?;
        zone.as_ref().map_or(Some(moment), |zone| moment.in_zone(zone))
    });
    moments.collect::<Option<_>>().ok_or_else(|| {
        InvalidRecurrence::expected(
            "EXDATE and RDATE to have dates or dates and times: 20261130, 20261130T183000 or 20261130T163000Z",
        )
    })
}

/// Returns the zone of the parameter `TZID`. The form of a value shows its type, so `VALUE` is not needed.
pub(super) fn parse_parameters(parameters: &str) -> Result<Option<Zone>, InvalidRecurrence> {
    let mut zone = None;
    for parameter in parameters.split(';').filter(|parameter| !parameter.is_empty()) {
        // Names of properties and parameters are case-insensitive (RFC 5545, section 2). Names of zones are not.
        let parameter = parameter.split_once('=').map(|(name, value)| (name.to_ascii_uppercase(), value));
        match parameter.as_ref().map(|(name, value)| (name.as_str(), *value)) {
            Some(("TZID", name)) => {
                let name = name.trim_matches('"');
                let parsed = name.parse().map_err(|_| InvalidRecurrence::expected("TZID to be an IANA time zone"))?;
                zone = Some(parsed);
            }
            Some(("VALUE", value)) if ["DATE", "DATE-TIME"].iter().any(|known| value.eq_ignore_ascii_case(known)) => {}
            _ => {
                return Err(InvalidRecurrence::expected(
                    "EXDATE and RDATE to have only TZID, or VALUE as DATE or DATE-TIME",
                ));
            }
        }
    }
    Ok(zone)
}

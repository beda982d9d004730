//! Finds an occurrence of a recurring event by its identifier.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use jiff::civil::{Date, DateTime};

use super::calendar_rule::{CalendarRule, Expanded};
use super::exclusions::{Exclusions, seconds};
use super::rule::{Frequency, RuleWeekday};
use super::spans::{self, day_before};
use super::steps::Steps;
use super::{LocalStart, OccurrenceStart, Override, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// An occurrence as the rule of its event makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) key: LocalStart,
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
    /// Whether an `EXDATE` excludes it.
    pub(crate) is_excluded: bool,
}

/// Returns the occurrences with a start in the zone of the event, also those that are excluded or changed. Returns
/// several if they start on the same day, or if the clock skips the times between them. Returns none if the event does
/// not recur.
pub(crate) fn locate(event: &Event, zone: &Zone, at: OccurrenceStart) -> Vec<Located> {
    let Some(series) = Series::of(event, zone) else {
        return Vec::new();
    };
    let days = match at {
        OccurrenceStart::Day(day) => (day, day),
        // A gap can move a time to the next day.
        OccurrenceStart::At(at) => (day_before(zone.local(at).date()), zone.local(at).date()),
    };
    let (mut starts, _) = series.starts(days);
    let changed = event.overrides.as_slice().iter().map(|change| change.recurrence_id);
    starts.extend(changed.filter(|key| key.is_whole_day() == event.all_day).map(|key| series.local(key)));
    let mut found: Vec<Located> = Vec::new();
    for local in starts {
        let key = series.key(local);
        let Some((start, end)) = series.span(local) else { continue };
        let is_meant = match at {
            OccurrenceStart::Day(day) => key.date() == day,
            OccurrenceStart::At(at) => !event.all_day && seconds(start) == seconds(at),
        };
        if is_meant && found.iter().all(|other| other.key != key) {
            found.push(Located { key, start, end, is_excluded: series.excludes(local, start) });
        }
    }
    found
}

/// The occurrences that an event makes on some days, also those that it excludes.
#[derive(Debug, Default)]
pub(crate) struct Made {
    keys: BTreeSet<LocalStart>,
    /// Those that only the start of the event excludes.
    earlier: BTreeSet<LocalStart>,
    /// If the rule needs too much work, the last day that was searched.
    searched: Option<Date>,
}

impl Made {
    /// Finds the occurrences from one day to another. The event makes unknown ones if its recurrence is not valid.
    pub(crate) fn between(event: &Event, zone: &Zone, (from, to): (Date, Date)) -> Self {
        let Some(series) = Series::of(event, zone) else {
            return Self { searched: Some(Date::MIN), ..Self::default() };
        };
        Self::of(&series, (from, to))
    }

    fn of(series: &Series<'_>, days: (Date, Date)) -> Self {
        let (starts, searched) = series.starts(days);
        let keys = starts.into_iter().map(|local| series.key(local)).collect();
        Self { keys, searched, ..Self::default() }
    }

    /// Finds the occurrences of the rule alone, on the days from the first additional occurrence to the last.
    pub(crate) fn by_rule_among_additions(event: &Event, zone: &Zone) -> Self {
        let Some(mut series) = Series::of(event, zone) else {
            return Self::default();
        };
        let additional: Vec<Date> = series.additional().iter().map(|local| local.date()).collect();
        let (Some(first), Some(last)) = (additional.iter().min(), additional.iter().max()) else {
            return Self::default();
        };
        series.recurrence = series.recurrence.without_additions();
        Self::of(&series, (*first, *last))
    }

    /// Adds the occurrences that an earlier start would make, if the rule then also makes one at the start of the
    /// event: all later ones are the same.
    pub(crate) fn with_earlier(
        mut self,
        event: &Event,
        zone: &Zone,
        start: DateTime,
        (from, to): (Date, Date),
    ) -> Self {
        let own = zone.local(event.start_date);
        let Some(series) = Series::of(event, zone).filter(|_| start < own) else {
            return self;
        };
        let series = Series { own: start, ..series };
        let rule = CalendarRule::new(series.recurrence.rule(), start, event.all_day);
        let mut has_own = false;
        let _ = rule.visit(own.date(), own.date(), &mut Steps::new(), |local| {
            has_own |= series.key(local) == series.key(own);
            ControlFlow::Continue(())
        });
        if has_own {
            let (starts, _) = series.starts((from, to.min(own.date())));
            let keys = starts.into_iter().map(|local| series.key(local));
            self.earlier = keys.filter(|key| *key < series.key(own)).collect();
        }
        self
    }

    pub(crate) fn has(&self, key: LocalStart) -> bool {
        self.keys.contains(&key)
    }

    /// Returns whether only the start of the event excludes an occurrence.
    pub(crate) fn is_too_early(&self, key: LocalStart) -> bool {
        self.earlier.contains(&key)
    }

    pub(crate) fn has_day(&self, day: Date) -> bool {
        self.on(day).next().is_some() || self.earlier.iter().any(|key| key.date() == day)
    }

    /// Returns the occurrences on a day, in order.
    pub(crate) fn on(&self, day: Date) -> impl Iterator<Item = LocalStart> {
        self.keys.range(LocalStart::from(day)..).copied().take_while(move |key| key.date() == day)
    }

    /// Returns whether the event can have an occurrence that was not searched.
    pub(crate) fn is_unknown(&self, key: LocalStart) -> bool {
        // The search can end within a day.
        self.searched.is_some_and(|searched| key.date() >= searched)
    }
}

/// Returns whether an event has an occurrence before a start that is not excluded, or changed. If the rule needs too much
/// work, there is one.
pub(crate) fn is_shown_before(event: &Event, zone: &Zone, key: LocalStart) -> bool {
    let Some(series) = Series::of(event, zone) else {
        return true;
    };
    let (starts, searched) = series.starts((series.own.date(), key.date()));
    let is_shown = |local: DateTime| {
        let is_excluded = || series.span(local).is_some_and(|(start, _)| series.excludes(local, start));
        series.key(local) < key && !is_excluded()
    };
    let is_changed =
        |change: &Override| change.recurrence_id.is_whole_day() == event.all_day && change.recurrence_id < key;
    searched.is_some() || event.overrides.as_slice().iter().any(is_changed) || starts.into_iter().any(is_shown)
}

/// Returns whether the rule of an event permits an occurrence at a local time.
pub(crate) fn fits(event: &Event, zone: &Zone, local: DateTime) -> bool {
    let Some(series) = Series::of(event, zone) else {
        return true;
    };
    let rule = series.recurrence.rule().completed_by(series.own);
    let has_time = rule.hours.contains(local.hour().into())
        && rule.minutes.contains(local.minute().into())
        && rule.seconds.contains(local.second().into());
    rule.permits_day(local.date()) && (event.all_day || has_time)
}

/// Returns whether all occurrences can move as one of them: a move to another day needs a rule that selects days only
/// by one weekday, and a rule that selects times has no other times. `own` is the start of the event.
pub(crate) fn moves_as_a_whole(event: &Event, own: DateTime, from: DateTime, to: DateTime) -> bool {
    let Some(Ok(recurrence)) = event.recurrence.as_deref().map(Recurrence::parse) else {
        return true;
    };
    let rule = recurrence.rule();
    // The start can move to another week than the weekday, and so change which weeks an interval selects.
    let keeps_weeks = |day: &RuleWeekday| match rule.frequency {
        _ if rule.interval == 1 => true,
        Frequency::Daily => true,
        Frequency::Weekly => day.weekday == own.weekday(),
        Frequency::Monthly | Frequency::Yearly => false,
    };
    let follows_day = rule.months.is_empty()
        && rule.week_numbers.is_empty()
        && rule.year_days.is_empty()
        && rule.month_days.is_empty()
        && rule.positions.is_empty()
        && matches!(&rule.weekdays[..], [] | [_])
        && rule.weekdays.iter().all(|day| day.number.is_none() && keeps_weeks(day));
    let follows_time = (rule.hours.is_empty() || from.hour() == to.hour())
        && (rule.minutes.is_empty() || from.minute() == to.minute())
        && (rule.seconds.is_empty() || from.second() == to.second());
    (from.date() == to.date() || follows_day) && (event.all_day || follows_time)
}

/// Returns whether all occurrences move by the same number of days if a rule takes its day of the month from the event:
/// each month has both days, or each year has as many days between them.
pub(crate) fn keeps_distances(event: &Event, from: Date, to: Date) -> bool {
    let Some(Ok(recurrence)) = event.recurrence.as_deref().map(Recurrence::parse) else {
        return true;
    };
    let rule = recurrence.rule();
    let in_each_month = || from.first_of_month() == to.first_of_month() && from.day().max(to.day()) <= 28;
    // The years are counted from the 1st of March, so that the 29th of February is the last day.
    let year_of = |day: Date| day.year() + i16::from(day.month() > 2);
    let is_leap_day = |day: Date| (day.month(), day.day()) == (2, 29);
    let in_each_year = || year_of(from) == year_of(to) && !is_leap_day(from) && !is_leap_day(to);
    from == to
        || rule.selects_days()
        || match rule.frequency {
            Frequency::Daily | Frequency::Weekly => true,
            Frequency::Monthly => in_each_month(),
            Frequency::Yearly => in_each_year(),
        }
}

/// A recurring event in its zone.
pub(crate) struct Series<'e> {
    pub(super) event: &'e Event,
    pub(super) recurrence: Recurrence,
    exclusions: Exclusions,
    pub(super) zone: &'e Zone,
    /// The local start of the event.
    pub(super) own: DateTime,
}

impl<'e> Series<'e> {
    /// Returns `None` if the event does not recur, or its recurrence is not valid.
    pub(crate) fn of(event: &'e Event, zone: &'e Zone) -> Option<Self> {
        let recurrence = Recurrence::parse(event.recurrence.as_deref()?).ok()?;
        let resolved = if event.all_day { Exclusions::of_all_day } else { Exclusions::of_timed };
        let exclusions = resolved(recurrence.excluded(), zone);
        Some(Self { event, recurrence, exclusions, zone, own: zone.local(event.start_date) })
    }

    /// Returns the local starts on some days, and the others that the rule does not make, in the order in which the
    /// expansion finds them. If the rule needs too much work, also returns the last day that was searched.
    fn starts(&self, (from, to): (Date, Date)) -> (Vec<DateTime>, Option<Date>) {
        let Self { event, recurrence, zone, own, .. } = self;
        let own = *own;
        let mut starts = vec![own];
        let mut searched = from;
        let rule = CalendarRule::new(recurrence.rule(), own, event.all_day);
        let expanded = rule.visit(from, to, &mut Steps::new(), |local| {
            searched = local.date();
            if recurrence.permits(zone, local, event.all_day) {
                starts.push(local);
            }
            ControlFlow::Continue(())
        });
        starts.extend(self.additional().into_iter().filter(|local| *local > own));
        (starts, (expanded == Expanded::Partly).then_some(searched))
    }

    pub(super) fn additional(&self) -> Vec<DateTime> {
        let Self { recurrence, zone, own, .. } = self;
        if self.event.all_day {
            recurrence.additional_days(zone).map(|day| day.to_datetime(own.time())).collect()
        } else {
            recurrence.additional_starts(zone, *own).collect()
        }
    }

    /// Returns the start and the end that the rule gives an occurrence.
    pub(crate) fn span_of(&self, key: LocalStart) -> Option<(Timestamp, Timestamp)> {
        self.span(self.local(key))
    }

    pub(super) fn key(&self, local: DateTime) -> LocalStart {
        if self.event.all_day { local.date().into() } else { local.into() }
    }

    /// Returns a start in the form in which the rule makes it.
    fn local(&self, key: LocalStart) -> DateTime {
        let Some(time) = key.date_time() else {
            return key.date().to_datetime(self.own.time());
        };
        time.with().subsec_nanosecond(self.own.subsec_nanosecond()).build().unwrap_or(time)
    }

    pub(super) fn span(&self, local: DateTime) -> Option<(Timestamp, Timestamp)> {
        if local == self.own {
            return Some((self.event.start_date, self.event.end_date));
        }
        spans::of_local_start(self.event, self.zone, local)
    }

    pub(super) fn excludes(&self, local: DateTime, at: Timestamp) -> bool {
        if self.event.all_day { self.exclusions.has_day(local.date()) } else { self.exclusions.has_start(local, at) }
    }
}

//! The time zones of a feed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::line::Lines;
use super::time_zone::YearlyRules;
use crate::Timestamp;
use crate::calendar::Zone;
use crate::resource::Event;

/// The zones that a list of events names, and that of the user. Each is looked up once.
#[derive(Debug)]
pub(super) struct Zones<'a> {
    user: &'a Zone,
    of_user: Option<YearlyRules>,
    named: BTreeMap<&'a str, (Zone, Option<YearlyRules>)>,
}

/// The zone of an event, and its rules if it has lasting ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventZone<'a> {
    pub(super) zone: &'a Zone,
    pub(super) rules: Option<&'a YearlyRules>,
}

impl<'a> Zones<'a> {
    pub(super) fn of(events: &'a [Event], user: &'a Zone, window: &Range<Timestamp>) -> Self {
        let names: BTreeSet<_> = events.iter().filter_map(|event| event.time_zone.as_ref()).collect();
        let zones = names.into_iter().filter_map(|name| {
            let zone = name.zone()?;
            let rules = YearlyRules::of(&zone, window);
            Some((name.as_str(), (zone, rules)))
        });
        Self { user, of_user: YearlyRules::of(user, window), named: zones.collect() }
    }

    /// Returns the zone of an event, or else that of the user.
    pub(super) fn of_event(&self, event: &Event) -> EventZone<'_> {
        match event.time_zone.as_ref().and_then(|name| self.named.get(name.as_str())) {
            Some((zone, rules)) => EventZone { zone, rules: rules.as_ref() },
            None => EventZone { zone: self.user, rules: self.of_user.as_ref() },
        }
    }

    /// Writes the zones with some names.
    pub(super) fn write<'n>(&self, names: impl Iterator<Item = &'n str>, lines: &mut Lines) {
        for name in names.collect::<BTreeSet<_>>() {
            let of_event = self.named.get(name).and_then(|(_, rules)| rules.as_ref());
            if let Some(rules) = of_event.or(self.of_user.as_ref().filter(|_| name == self.user.as_str())) {
                rules.write(name, lines);
            }
        }
    }
}

//! What the sender of a time should know about it (HTTP reference, "Instants and dates").

use std::fmt;
use std::str::FromStr;

use jiff::tz::AmbiguousOffset;

use crate::calendar::{Zone, ZoneName};
use crate::change::date_or_instant::offset_text;
use crate::change::{DateOrInstant, Editable};
use crate::timestamp::Timestamp;

/// A time of a write that means something else than its sender may think. The write is valid.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeNotice {
    /// The field of the body.
    pub field: &'static str,
    /// What is special about the time.
    pub kind: TimeNoticeKind,
    /// The instant that the service stores.
    pub resolved: Timestamp,
    sent: DateOrInstant,
    /// The zone in which the time is resolved.
    zone: Zone,
}

/// What is special about a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeNoticeKind {
    /// The local clock skips the time. It moves forward by the length of the gap (RFC 5545, section 3.3.5).
    Skipped,
    /// The local clock shows the time twice. The first one counts (RFC 5545, section 3.3.5).
    Repeated,
    /// The time zone does not have the offset of the instant then. The instant counts.
    ForeignOffset,
}

/// The text names no kind of notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the kind of a notice about a time")]
pub struct UnknownTimeNotice;

impl TimeNotice {
    /// Returns the notices about the times of an update. `writer` is the time zone of the user who writes, which counts
    /// unless the update names another one.
    #[must_use]
    pub fn of<R: Editable>(update: &R::Update, writer: &Zone) -> Vec<Self> {
        let named = R::time_zone(update).and_then(ZoneName::zone);
        let zone = named.as_ref().unwrap_or(writer);
        let times = R::times(update).into_iter();
        times.filter_map(|(field, sent)| Self::of_time(field, sent, zone)).collect()
    }

    fn of_time(field: &'static str, sent: DateOrInstant, zone: &Zone) -> Option<Self> {
        let kind = match sent {
            DateOrInstant::On(_) | DateOrInstant::At(_, None) => return None,
            DateOrInstant::At(at, Some(offset)) if zone.offset(at) == offset => return None,
            DateOrInstant::At(_, Some(_)) => TimeNoticeKind::ForeignOffset,
            DateOrInstant::Local(time) => match zone.ambiguity(time) {
                AmbiguousOffset::Unambiguous { .. } => return None,
                AmbiguousOffset::Gap { .. } => TimeNoticeKind::Skipped,
                AmbiguousOffset::Fold { .. } => TimeNoticeKind::Repeated,
            },
        };
        Some(Self { field, kind, resolved: sent.in_zone(zone), sent, zone: zone.clone() })
    }

    /// Returns the notice as a sentence without a full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { field, kind, resolved, sent, zone } = self;
        let local = zone.local(*resolved).strftime("%Y-%m-%dT%H:%M");
        let zone = zone.as_str();
        match (kind, sent) {
            (TimeNoticeKind::Skipped, _) => format!("{field}: the clock in {zone} skips {sent}, so it is {local}"),
            (TimeNoticeKind::ForeignOffset, DateOrInstant::At(_, Some(offset))) => {
                let offset = offset_text(*offset);
                format!("{field}: {zone} does not have the offset {offset} then, so it is {local} there")
            }
            _ => format!("{field}: the clock in {zone} shows {sent} twice, and the first one counts"),
        }
    }
}

/// The notice as in the header `Family-Api-Notice`: `startDate=skipped`.
impl fmt::Display for TimeNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.field, self.kind.as_str())
    }
}

impl TimeNoticeKind {
    const ALL: [Self; 3] = [Self::Skipped, Self::Repeated, Self::ForeignOffset];

    /// Returns the name in the header `Family-Api-Notice`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Repeated => "repeated",
            Self::ForeignOffset => "foreign_offset",
        }
    }
}

impl FromStr for TimeNoticeKind {
    type Err = UnknownTimeNotice;

    fn from_str(name: &str) -> Result<Self, UnknownTimeNotice> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(UnknownTimeNotice)
    }
}

//! Occurrences of calendar events.

use serde::{Deserialize, Serialize};

use crate::id::EventId;
use crate::resource::Event;

/// An occurrence of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// The fields of the event. `startDate` and `endDate` are those of the occurrence.
    #[serde(flatten)]
    pub event: Event,
    /// The event that the occurrence belongs to.
    pub occurrence_of: EventId,
}

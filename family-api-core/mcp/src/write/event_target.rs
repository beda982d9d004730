//! What the id in a call names: an event, or one occurrence of it.

use std::iter;

use family_api_core::Error;
use family_api_core::calendar::Zone;
use family_api_core::change::{EventUpdate, OccurrenceScope};
use family_api_core::id::EventId;
use family_api_core::occurrences::{OccurrenceStart, find_occurrence};
use family_api_core::resource::{Event, Occurrence, RecordKind};
use family_api_core::validation::{FieldFault, Reference};

use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::error::{ToolError, fault_text};
use crate::names;

/// The occurrences that a call with the id of one of them writes.
pub(crate) const SCOPE: Argument = Argument::optional(
    "scope",
    ArgumentType::Choice(&["this", "following", "all"]),
    "With ids of occurrences. Default: this.",
);

const EXPECTED_ID: &str = "id: expected the id of an event or of an occurrence as list_events returned it, such as \
                           piano@20261208T163000Z";

/// The event or the occurrence that a call writes.
pub(crate) struct EventTarget {
    pub(crate) event: Reference<EventId>,
    pub(crate) occurrence: Option<TargetOccurrence>,
}

/// An occurrence of a recurring event, and which others are written with it.
pub(crate) struct TargetOccurrence {
    pub(crate) start: OccurrenceStart,
    pub(crate) scope: OccurrenceScope,
}

impl EventTarget {
    /// Parses the arguments `ids` and `scope`. An invalid id of an event is that of no event.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] if the part after the `@` of an id is not the start of an occurrence, or if the scope
    /// needs an occurrence.
    pub(crate) fn all(arguments: &Arguments) -> Result<Vec<Self>, ToolError> {
        let scope = arguments.text("scope").and_then(|scope| scope.parse().ok());
        arguments.ids().into_iter().map(|id| Self::parse(id, scope)).collect()
    }

    /// Parses an id. Without a scope, it names one occurrence or the whole event.
    ///
    /// # Errors
    /// Those of [`all`](Self::all).
    pub(crate) fn parse(id: &str, scope: Option<OccurrenceScope>) -> Result<Self, ToolError> {
        let Some((event, start)) = id.split_once('@') else {
            if scope.is_some_and(|scope| scope != OccurrenceScope::All) {
                return Err(fault(
                    "scope: needs ids of occurrences that list_events returned. Omit scope: an id has no @, so it is that \
                     of the whole event",
                ));
            }
            return Ok(Self { event: id.into(), occurrence: None });
        };
        let start = start.parse().map_err(|_| fault(EXPECTED_ID))?;
        let occurrence = TargetOccurrence { start, scope: scope.unwrap_or_default() };
        Ok(Self { event: event.into(), occurrence: Some(occurrence) })
    }

    /// Applies an update to the occurrences that are meant.
    ///
    /// # Errors
    /// [`Error::InvalidField`] with the fields that belong to the whole event.
    pub(crate) fn narrow(&self, update: EventUpdate) -> Result<EventUpdate, Error> {
        match &self.occurrence {
            None => Ok(update),
            Some(TargetOccurrence { start, scope }) => {
                update.of_occurrence(*start, *scope).map_err(Error::InvalidField)
            }
        }
    }

    /// Converts the error of a change or deletion.
    pub(crate) fn failed(&self, error: Error) -> ToolError {
        match (error, &self.occurrence) {
            (Error::NotFound, Some(_)) => ToolError::Correctable(
                "No such occurrence: the event is not visible to you, or it has no occurrence then, or the occurrence \
                 is skipped already. Use an id that list_events returned."
                    .to_owned(),
            ),
            // The start of an occurrence is a part of its id.
            (Error::InvalidField(faults), Some(_)) => {
                let of_start = |fault: &&FieldFault| fault.pointer == "/start";
                let text = |fault: &FieldFault| match Some(fault).filter(of_start) {
                    Some(fault) => format!("id: {}", names::in_words(&fault.detail)),
                    None => fault_text("", fault),
                };
                ToolError::Correctable(faults.listed().iter().map(text).collect::<Vec<_>>().join("; "))
            }
            (error, _) => ToolError::of_change(error, RecordKind::Event),
        }
    }

    /// Returns the start of the only occurrence that is written.
    pub(crate) fn only_start(&self) -> Option<OccurrenceStart> {
        let TargetOccurrence { start, scope } = self.occurrence.as_ref()?;
        (*scope == OccurrenceScope::This).then_some(*start)
    }

    /// Returns the start of the first occurrence that is written, if not all of them are.
    pub(crate) fn first_start(&self) -> Option<OccurrenceStart> {
        let TargetOccurrence { start, scope } = self.occurrence.as_ref()?;
        (*scope != OccurrenceScope::All).then_some(*start)
    }

    /// Returns the only occurrence that is written, as the event has it.
    pub(crate) fn shown_in(&self, event: &Event, zone: &Zone) -> Option<Occurrence> {
        find_occurrence(event, zone, self.only_start()?, &[])
    }

    /// Returns which occurrences of an event are written, or `None` if it does not recur.
    pub(crate) fn scope(&self, event: &Event) -> Option<OccurrenceScope> {
        match &self.occurrence {
            Some(occurrence) => Some(occurrence.scope),
            None => event.recurrence.is_some().then_some(OccurrenceScope::All),
        }
    }
}

/// Returns which occurrences are written in words.
pub(crate) const fn scope_words(scope: OccurrenceScope) -> &'static str {
    match scope {
        OccurrenceScope::This => "only this occurrence",
        OccurrenceScope::Following => "this and the following occurrences",
        _ => "all occurrences",
    }
}

fn fault(text: &str) -> ToolError {
    ToolError::of_arguments(iter::once(text.to_owned()), 1, "")
}

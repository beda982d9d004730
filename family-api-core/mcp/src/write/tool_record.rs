//! The kinds of records that tools write.

use std::future::ready;

use family_api_core::calendar::Zone;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::Writable;
use family_api_core::{Error, Timestamp};

use crate::context::ToolContext;
use crate::records::{When, due_text, due_words};

/// The time in which a completion of the same recurring task counts as a repetition of the call.
const REPETITION: SignedDuration = SignedDuration::from_mins(10);

/// A kind of record that tools write.
pub(crate) trait ToolRecord: Writable {
    /// Returns the title or the name.
    fn title(&self) -> &str;

    /// Returns the id of the column or list that contains the record.
    fn container(&self) -> Option<&str> {
        None
    }

    /// Returns why a call that sets the [field](crate::write::mark::Mark) of the record to true is probably the
    /// repetition of one that did so. `None` if it is not.
    ///
    /// # Errors
    /// The error of the read.
    fn repetition(_: &ToolContext, _id: &str) -> impl Future<Output = Result<Option<String>, Error>> + Send {
        ready(Ok(None))
    }

    /// Returns when the record is due or takes place.
    fn when(&self, _: &Zone) -> Option<String> {
        None
    }
}

impl ToolRecord for Task {
    fn title(&self) -> &str {
        &self.title
    }

    fn container(&self) -> Option<&str> {
        Some(self.column_id.as_str())
    }

    fn when(&self, zone: &Zone) -> Option<String> {
        self.due_date.map(|due| due_words(due, zone))
    }

    /// A recurring task that was completed stays open, so a client that repeats the call would skip a time.
    async fn repetition(context: &ToolContext, id: &str) -> Result<Option<String>, Error> {
        let task = match context.api().read(context.caller())?.get_task(&id.into()).await {
            Ok(found) => found.record.task,
            Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (now, zone) = (context.api().now(), context.zone());
        let is_recent = |at: &Timestamp| *at <= now && now.saturating_add(-REPETITION) < *at;
        let done = task.last_completed_at.filter(is_recent).filter(|_| !task.completed && task.rule().is_some());
        let due = task.due_date.filter(|due| *due > now);
        let reason = |(done, due)| {
            let at = zone.local(done).strftime("%H:%M");
            format!("was completed at {at}, due again {}", due_text(due, zone))
        };
        Ok(done.zip(due).map(reason))
    }
}

impl ToolRecord for Note {
    fn title(&self) -> &str {
        &self.title
    }
}

impl ToolRecord for Event {
    fn title(&self) -> &str {
        &self.title
    }

    fn when(&self, zone: &Zone) -> Option<String> {
        Some(When::from(self).span(zone).words())
    }
}

impl ToolRecord for ShoppingItem {
    fn title(&self) -> &str {
        &self.name
    }

    fn container(&self) -> Option<&str> {
        Some(self.list_id.as_str())
    }
}

impl ToolRecord for ShoppingList {
    fn title(&self) -> &str {
        &self.name
    }
}

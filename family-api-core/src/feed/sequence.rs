//! How often a record was changed: the part of `SEQUENCE` that is not the feed's.

use crate::resource::{Event, Task};

pub(super) fn of_event(_event: &Event) -> u32 {
    // Becomes `event.sequence`.
    0
}

pub(super) fn of_task(_task: &Task) -> u32 {
    // Becomes `task.sequence`.
    0
}

//! Writes a due task.

use super::component::{Component, ComponentId, Moment, Time, Words};
use super::room::Unit;
use super::{FeedDetail, FeedView};
use crate::resource::Task;

/// Returns a task that is due in the window, or `None`. A task takes no time, so a busy feed has none.
///
/// A task that is due when a day of the user begins is due on this day. Otherwise, it has a time without length. If the
/// task recurs, it is due at its next date.
pub(super) fn unit<'a>(feed: &FeedView<'_>, task: &'a Task) -> Option<Unit<'a>> {
    let is_shown = feed.detail == FeedDetail::Full && !task.completed;
    let due = task.due_date.filter(|due| is_shown && *due >= feed.since)?;
    let time = if feed.zone.is_start_of_day(due) {
        let day = feed.zone.day_of(due);
        Time::Days(day, day)
    } else {
        Time::Times(Moment::Utc(due), Moment::Utc(due))
    };
    let component = Component {
        id: ComponentId { prefix: "t-", record: task.id.as_str(), occurrence: None },
        updated_at: task.updated_at,
        sequence: task.sequence,
        time,
        zone: None,
        rule: None,
        replaces: None,
        is_transparent: true,
        words: Words::of_task(task),
    };
    Some(Unit::single(feed, component, due..due))
}

//! The document of a read of the overview.

use crate::calendar::{Zone, ZoneName};
use crate::id::UserId;
use crate::json_error::JsonError;
use crate::occurrences::LocalStart;
use crate::query::{FoundOverview, FoundTask};
use crate::resource::{
    BoardSummary, ColumnSummary, Document, Excerpt, ListSummary, Occurrence, OccurrenceSummary, Overview, Person,
    PersonSummary, TaskSummary,
};

/// Maximum size of the document in bytes. A microcontroller has some tens of kilobytes of memory.
const MAX_BYTES: usize = 16 * 1024;

/// Maximum number of records in each list. If the document is too long, half of these, a quarter, and so on. With one
/// record in each list it fits: it then has at most about 7 KiB.
const MAX_ITEMS: usize = 20;
/// Maximum number of boards, and of columns of a board.
const MAX_BOARDS: usize = 10;
/// Maximum number of participants of an event.
const MAX_PARTICIPANTS: usize = 8;

/// Maximum length of a title or a place, in characters.
const MAX_TITLE: usize = 100;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 40;

/// Shortens an overview to a document of at most [`MAX_BYTES`].
pub(super) fn overview_document(found: FoundOverview) -> Result<Document<Overview>, JsonError> {
    let mut overview = shorten(found);
    let mut max = MAX_ITEMS;
    loop {
        let document = Document::of(&overview)?;
        if document.as_bytes().len() <= MAX_BYTES || max == 1 {
            return Ok(document);
        }
        max /= 2;
        truncate(&mut overview, max);
    }
}

fn shorten(found: FoundOverview) -> Overview {
    let FoundOverview { user, zone, today, last_day, participants, .. } = found;
    Overview {
        me: user,
        today,
        last_day,
        time_zone: ZoneName::from(&zone),
        open_tasks: found.open_tasks.shortened(MAX_ITEMS, |task| shorten_task(task, &zone)),
        overdue_count: found.overdue_tasks.total,
        events: found.occurrences.shortened(MAX_ITEMS, |event| shorten_occurrence(event, &participants, &zone)),
        events_cut: found.are_occurrences_cut,
        boards: found.boards.shortened(MAX_BOARDS, shorten_board),
        shopping_lists: found.lists.shortened(MAX_ITEMS, |list| ListSummary { name: name(&list.name), ..list }),
        members: found.members.shortened(MAX_ITEMS, |member| person(member.id, Some(&member.name))),
    }
}

fn shorten_task(FoundTask { task, board_name, column_name, is_overdue, .. }: FoundTask, zone: &Zone) -> TaskSummary {
    let assignee_name = task.assignee.as_ref().map(|assignee| assignee.name.as_str());
    TaskSummary {
        title: cut(&task.title, MAX_TITLE),
        priority: task.priority,
        due_date: task.due_date,
        local_due_date: task.due_date.map(|due| {
            let day = zone.day_of(due);
            // A due date without a time is stored as the start of its day.
            if zone.start_of_day(day) == due { LocalStart::from(day) } else { LocalStart::from(zone.local(due)) }
        }),
        is_overdue,
        is_private: task.is_private,
        assignee: task.assignee_id.map(|id| person(id, assignee_name)),
        id: task.id,
        column_id: task.column_id,
        board_name: name(&board_name),
        column_name: name(&column_name),
    }
}

fn shorten_occurrence(event: Occurrence, participants: &[Person], zone: &Zone) -> OccurrenceSummary {
    let [local_start, local_end] = event.local_span(zone);
    let participant = |id: UserId| {
        let member = participants.iter().find(|member| member.id == id);
        person(id, member.map(|member| member.name.as_str()))
    };
    let assignee_name = event.assignee.as_ref().map(|assignee| assignee.name.as_str());
    OccurrenceSummary {
        id: event.id,
        occurrence_of: event.occurrence_of,
        title: cut(&event.title, MAX_TITLE),
        start_date: event.start_date,
        end_date: event.end_date,
        all_day: event.all_day,
        time_zone: event.time_zone,
        local_start,
        local_end,
        location: event.location.map(|location| cut(&location, MAX_TITLE)),
        assignee: event.assignee_id.map(|id| person(id, assignee_name)),
        participants: Excerpt::first(event.participant_ids.into_iter(), MAX_PARTICIPANTS, participant),
    }
}

fn shorten_board(board: BoardSummary) -> BoardSummary {
    let column = |column: ColumnSummary| ColumnSummary { name: name(&column.name), ..column };
    BoardSummary { name: name(&board.name), columns: board.columns.shortened(MAX_BOARDS, column), ..board }
}

fn person(id: UserId, display_name: Option<&str>) -> PersonSummary {
    PersonSummary { id, name: display_name.map(name) }
}

/// Keeps the first `max` records of each list.
fn truncate(overview: &mut Overview, max: usize) {
    overview.open_tasks.items.truncate(max);
    overview.events.items.truncate(max);
    overview.events.items.iter_mut().for_each(|event| event.participants.items.truncate(max));
    overview.boards.items.truncate(max);
    overview.boards.items.iter_mut().for_each(|board| board.columns.items.truncate(max));
    overview.shopping_lists.items.truncate(max);
    overview.members.items.truncate(max);
}

fn name(text: &str) -> String {
    cut(text, MAX_NAME)
}

/// Returns the first `max` characters of a text. A longer text ends with `…` instead of the last of them.
fn cut(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    text.chars().take(max - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_cut_has_the_maximum_length() {
        assert_eq!(cut("äbc", 3), "äbc");
        assert_eq!(cut("äbcd", 3), "äb…");
    }
}

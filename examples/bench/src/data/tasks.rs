//! Boards, columns and tasks.

use std::io::{self, Write};

use serde_json::json;

use super::draw::Draw;
use super::people::{COLOURS, People};
use super::{Lines, Size};

const COLUMNS: [&str; 4] = ["To do", "In progress", "Waiting", "Someday"];
const PRIORITIES: [&str; 5] = ["LOW", "MEDIUM", "MEDIUM", "HIGH", "URGENT"];
pub(super) const LABELS: [&str; 6] = ["home", "kids", "urgent", "weekend", "shop", "car"];

pub(super) fn write<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    size: &Size,
    people: &People,
) -> io::Result<()> {
    let mut columns = vec![];
    for order in 0..size.boards {
        write_board(lines, draw, size, people, order, &mut columns)?;
    }
    for task in 0..size.open_tasks + size.done_tasks {
        let (place, done) = (usize::from(task), task >= size.open_tasks);
        write_task(lines, draw, people, &columns[place % columns.len()], place / columns.len(), done)?;
    }
    Ok(())
}

fn write_board<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    size: &Size,
    people: &People,
    order: u16,
    columns: &mut Vec<String>,
) -> io::Result<()> {
    let (board, made) = (draw.id(), draw.instant(-300..-200));
    lines.push(&json!({
        "type": "board", "id": board, "familyId": people.family, "name": draw.text(1..3), "description": null,
        "emoji": "📋", "color": draw.one_of(&COLOURS), "order": order, "isPrivate": false, "ownerUserId": null,
        "createdAt": made, "updatedAt": made,
    }))?;
    for (order, name) in COLUMNS.iter().take(size.columns.into()).enumerate() {
        let column = draw.id();
        lines.push(&json!({
            "type": "column", "id": column, "boardId": board, "name": name, "emoji": "📝", "color": "#e7e5e4",
            "order": order, "createdAt": made,
        }))?;
        columns.push(column);
    }
    Ok(())
}

fn write_task<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    people: &People,
    column: &str,
    order: usize,
    done: bool,
) -> io::Result<()> {
    let (made, private) = (draw.instant(-120..-1), draw.happens(5));
    // What is private belongs to the first member, who sees all of the tasks.
    let creator = if private { &people.members[0] } else { draw.one_of(&people.members) };
    lines.push(&json!({
        "type": "task", "id": draw.id(), "columnId": column, "title": draw.text(2..8),
        "description": draw.happens(50).then(|| draw.text(5..31)), "priority": draw.one_of(&PRIORITIES),
        "dueDate": if draw.happens(60) { draw.instant(-5..30) } else { None },
        "completedAt": if done { draw.instant(-30..0) } else { None }, "order": order, "labels": draw.some_of(&LABELS),
        "isPrivate": private, "assigneeId": draw.happens(80).then(|| draw.one_of(&people.members)),
        "creatorId": creator, "createdAt": made, "updatedAt": made,
    }))
}

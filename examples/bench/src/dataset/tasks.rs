//! Boards, columns and tasks.

use std::io::{self, Write};

use serde_json::json;

use super::generate::Generator;
use super::people::{COLOURS, People};
use super::{Lines, Size};

const COLUMNS: [&str; 4] = ["To do", "In progress", "Waiting", "Someday"];
const PRIORITIES: [&str; 5] = ["LOW", "MEDIUM", "MEDIUM", "HIGH", "URGENT"];
pub(super) const LABELS: [&str; 6] = ["home", "kids", "urgent", "weekend", "shop", "car"];

pub(super) fn write<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    size: &Size,
    people: &People,
) -> io::Result<()> {
    let mut columns = vec![];
    for order in 0..size.boards {
        write_board(lines, generator, size, people, order, &mut columns)?;
    }
    for task in 0..size.open_tasks + size.done_tasks {
        let (index, done) = (usize::from(task), task >= size.open_tasks);
        write_task(lines, generator, people, &columns[index % columns.len()], index / columns.len(), done)?;
    }
    Ok(())
}

fn write_board<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    size: &Size,
    people: &People,
    order: u16,
    columns: &mut Vec<String>,
) -> io::Result<()> {
    let (board, created_at) = (generator.id(), generator.instant(-300..-200));
    lines.push(&json!({
        "type": "board", "id": board, "familyId": people.family, "name": generator.text(1..3), "emoji": "📋",
        "color": generator.one_of(&COLOURS), "order": order, "isPrivate": false, "createdAt": created_at,
        "updatedAt": created_at,
    }))?;
    for (order, name) in COLUMNS.iter().take(size.columns.into()).enumerate() {
        let column = generator.id();
        lines.push(&json!({
            "type": "column", "id": column, "familyId": people.family, "boardId": board, "name": name, "emoji": "📝",
            "color": "#e7e5e4", "order": order, "createdAt": created_at,
        }))?;
        columns.push(column);
    }
    Ok(())
}

fn write_task<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    people: &People,
    column: &str,
    order: usize,
    done: bool,
) -> io::Result<()> {
    let (created_at, private) = (generator.instant(-120..-1), generator.happens(5));
    // Private tasks belong to the first member, who therefore sees all tasks.
    let creator = if private { &people.members[0] } else { generator.one_of(&people.members) };
    lines.push(&json!({
        "type": "task", "id": generator.id(), "familyId": people.family, "columnId": column,
        "title": generator.text(2..8), "description": generator.happens(50).then(|| generator.text(5..31)),
        "priority": generator.one_of(&PRIORITIES),
        "dueDate": if generator.happens(60) { generator.instant(-5..30) } else { None },
        "completedAt": if done { generator.instant(-30..0) } else { None }, "order": order,
        "labels": generator.some_of(&LABELS), "isPrivate": private,
        "assigneeId": generator.happens(80).then(|| generator.one_of(&people.members)), "creatorId": creator,
        "createdAt": created_at, "updatedAt": created_at,
    }))
}

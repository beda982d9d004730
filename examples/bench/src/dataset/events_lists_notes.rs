//! Events, shopping lists and notes.

use std::io::{self, Write};

use serde_json::json;

use super::generate::Generator;
use super::people::{COLOURS, People};
use super::tasks::LABELS;
use super::{Lines, Size};

const AISLES: [&str; 4] = ["dairy", "bakery", "fruit", "household"];

pub(super) fn write<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    size: &Size,
    people: &People,
) -> io::Result<()> {
    for _ in 0..size.events {
        write_event(lines, generator, people)?;
    }
    for order in 0..size.lists {
        write_list(lines, generator, size, people, order)?;
    }
    let mut categories = vec![];
    for _ in 0..size.categories {
        categories.push(write_category(lines, generator, people)?);
    }
    for _ in 0..size.notes {
        write_note(lines, generator, people, &categories)?;
    }
    Ok(())
}

fn write_event<W: Write>(lines: &mut Lines<'_, W>, generator: &mut Generator, people: &People) -> io::Result<()> {
    let created_at = generator.instant(-120..-1);
    let day = generator.number(-30..60);
    lines.push(&json!({
        "type": "event", "id": generator.id(), "familyId": people.family, "title": generator.text(1..6),
        "description": generator.happens(30).then(|| generator.text(3..16)), "emoji": "📅", "color": generator.one_of(&COLOURS),
        "startDate": generator.instant(day..day + 1), "endDate": generator.instant(day + 1..day + 2), "allDay": generator.happens(20),
        "location": generator.happens(30).then(|| generator.text(1..4)),
        "recurrence": generator.happens(10).then_some("FREQ=WEEKLY;BYDAY=MO"),
        "assigneeId": generator.happens(70).then(|| generator.one_of(&people.members)), "createdAt": created_at, "updatedAt": created_at,
    }))
}

fn write_list<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    size: &Size,
    people: &People,
    order: u16,
) -> io::Result<()> {
    let (list, created_at) = (generator.id(), generator.instant(-200..-100));
    lines.push(&json!({
        "type": "shoppingList", "id": list, "familyId": people.family, "name": generator.text(1..3), "emoji": "🛒",
        "sortOrder": order, "isPrivate": false, "createdAt": created_at, "updatedAt": created_at,
    }))?;
    for _ in 0..size.items {
        lines.push(&json!({
            "type": "shoppingItem", "id": generator.id(), "familyId": people.family, "listId": list,
            "name": generator.text(1..2),
            "quantity": generator.happens(70).then(|| generator.number(1..10).to_string()),
            "category": generator.one_of(&AISLES), "checked": generator.happens(30), "isPrivate": false,
            "addedById": generator.one_of(&people.members), "createdAt": generator.instant(-20..0),
        }))?;
    }
    Ok(())
}

fn write_category<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    people: &People,
) -> io::Result<String> {
    let id = generator.id();
    lines.push(&json!({
        "type": "noteCategory", "id": id, "familyId": people.family, "name": generator.text(1..3), "emoji": "📂",
        "color": "#f5f3ff",
    }))?;
    Ok(id)
}

fn write_note<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    people: &People,
    categories: &[String],
) -> io::Result<()> {
    lines.push(&json!({
        "type": "note", "id": generator.id(), "familyId": people.family, "title": generator.text(1..6),
        "content": generator.text(10..121), "emoji": "📓", "color": "#faf3e0", "pinned": generator.happens(10),
        "tags": generator.some_of(&LABELS), "authorId": generator.one_of(&people.members),
        "categoryId": generator.happens(80).then(|| generator.one_of(categories)), "createdAt": generator.instant(-200..-100),
        "updatedAt": generator.instant(-100..0),
    }))
}

//! Events, shopping lists and notes.

use std::io::{self, Write};

use serde_json::json;

use super::draw::Draw;
use super::people::{COLOURS, People};
use super::tasks::LABELS;
use super::{Lines, Size};

const AISLES: [&str; 4] = ["dairy", "bakery", "fruit", "household"];

pub(super) fn write<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    size: &Size,
    people: &People,
) -> io::Result<()> {
    for _ in 0..size.events {
        write_event(lines, draw, people)?;
    }
    for order in 0..size.lists {
        write_list(lines, draw, size, people, order)?;
    }
    let mut categories = vec![];
    for _ in 0..size.categories {
        categories.push(write_category(lines, draw, people)?);
    }
    for _ in 0..size.notes {
        write_note(lines, draw, people, &categories)?;
    }
    Ok(())
}

fn write_event<W: Write>(lines: &mut Lines<'_, W>, draw: &mut Draw, people: &People) -> io::Result<()> {
    let made = draw.instant(-120..-1);
    let day = draw.number(-30..60);
    lines.push(&json!({
        "type": "event", "id": draw.id(), "familyId": people.family, "title": draw.text(1..6),
        "description": draw.happens(30).then(|| draw.text(3..16)), "emoji": "📅", "color": draw.one_of(&COLOURS),
        "startDate": draw.instant(day..day + 1), "endDate": draw.instant(day + 1..day + 2), "allDay": draw.happens(20),
        "location": draw.happens(30).then(|| draw.text(1..4)),
        "recurrence": draw.happens(10).then_some("FREQ=WEEKLY;BYDAY=MO"),
        "assigneeId": draw.happens(70).then(|| draw.one_of(&people.members)), "createdAt": made, "updatedAt": made,
    }))
}

fn write_list<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    size: &Size,
    people: &People,
    order: u16,
) -> io::Result<()> {
    let (list, made) = (draw.id(), draw.instant(-200..-100));
    lines.push(&json!({
        "type": "shoppingList", "id": list, "familyId": people.family, "name": draw.text(1..3), "emoji": "🛒",
        "sortOrder": order, "isPrivate": false, "ownerUserId": null, "createdAt": made, "updatedAt": made,
    }))?;
    for _ in 0..size.items {
        lines.push(&json!({
            "type": "shoppingItem", "id": draw.id(), "listId": list, "name": draw.text(1..2),
            "quantity": draw.happens(70).then(|| draw.number(1..10).to_string()), "category": draw.one_of(&AISLES),
            "checked": draw.happens(30), "isPrivate": false, "addedById": draw.one_of(&people.members),
            "createdAt": draw.instant(-20..0),
        }))?;
    }
    Ok(())
}

fn write_category<W: Write>(lines: &mut Lines<'_, W>, draw: &mut Draw, people: &People) -> io::Result<String> {
    let id = draw.id();
    lines.push(&json!({
        "type": "noteCategory", "id": id, "familyId": people.family, "name": draw.text(1..3), "emoji": "📂",
        "color": "#f5f3ff", "parentId": null,
    }))?;
    Ok(id)
}

fn write_note<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    people: &People,
    categories: &[String],
) -> io::Result<()> {
    lines.push(&json!({
        "type": "note", "id": draw.id(), "familyId": people.family, "title": draw.text(1..6),
        "content": draw.text(10..121), "emoji": "📓", "color": "#faf3e0", "pinned": draw.happens(10),
        "tags": draw.some_of(&LABELS), "authorId": draw.one_of(&people.members),
        "categoryId": draw.happens(80).then(|| draw.one_of(categories)), "createdAt": draw.instant(-200..-100),
        "updatedAt": draw.instant(-100..0),
    }))
}

//! Events, shopping lists and notes.

use std::io::{self, Write};

use serde_json::json;

use super::Family;
use super::people::COLOURS;
use super::tasks::LABELS;

const AISLES: [&str; 4] = ["dairy", "bakery", "fruit", "household"];

impl<W: Write> Family<'_, W> {
    pub(super) fn write_events_lists_and_notes(&mut self) -> io::Result<()> {
        for _ in 0..self.size.events {
            self.write_event()?;
        }
        for order in 0..self.size.lists {
            self.write_list(order)?;
        }
        let mut categories = vec![];
        for _ in 0..self.size.categories {
            categories.push(self.write_category()?);
        }
        for _ in 0..self.size.notes {
            self.write_note(&categories)?;
        }
        Ok(())
    }

    fn write_event(&mut self) -> io::Result<()> {
        let created_at = self.random.instant(-120..-1);
        let day = self.random.number(-30..60);
        self.lines.push(&json!({
            "type": "event", "id": self.random.id(), "familyId": self.id, "title": self.random.text(1..6),
            "description": self.random.happens(30).then(|| self.random.text(3..16)), "emoji": "📅",
            "color": self.random.one_of(&COLOURS),
            "startDate": self.random.instant(day..day + 1), "endDate": self.random.instant(day + 1..day + 2),
            "allDay": self.random.happens(20),
            "location": self.random.happens(30).then(|| self.random.text(1..4)),
            "recurrence": self.random.happens(10).then_some("FREQ=WEEKLY;BYDAY=MO"),
            "assigneeId": self.random.happens(70).then(|| self.random.one_of(&self.members)),
            "createdAt": created_at, "updatedAt": created_at,
        }))
    }

    fn write_list(&mut self, order: u16) -> io::Result<()> {
        let (list, created_at) = (self.random.id(), self.random.instant(-200..-100));
        self.lines.push(&json!({
            "type": "shoppingList", "id": list, "familyId": self.id, "name": self.random.text(1..3), "emoji": "🛒",
            "sortOrder": order, "isPrivate": false, "createdAt": created_at, "updatedAt": created_at,
        }))?;
        for _ in 0..self.size.items {
            self.lines.push(&json!({
                "type": "shoppingItem", "id": self.random.id(), "familyId": self.id, "listId": list,
                "name": self.random.text(1..2),
                "quantity": self.random.happens(70).then(|| self.random.number(1..10).to_string()),
                "category": self.random.one_of(&AISLES), "checked": self.random.happens(30), "isPrivate": false,
                "addedById": self.random.one_of(&self.members), "createdAt": self.random.instant(-20..0),
            }))?;
        }
        Ok(())
    }

    fn write_category(&mut self) -> io::Result<String> {
        let id = self.random.id();
        self.lines.push(&json!({
            "type": "noteCategory", "id": id, "familyId": self.id, "name": self.random.text(1..3), "emoji": "📂",
            "color": "#f5f3ff",
        }))?;
        Ok(id)
    }

    fn write_note(&mut self, categories: &[String]) -> io::Result<()> {
        self.lines.push(&json!({
            "type": "note", "id": self.random.id(), "familyId": self.id, "title": self.random.text(1..6),
            "content": self.random.text(10..121), "emoji": "📓", "color": "#faf3e0", "pinned": self.random.happens(10),
            "tags": self.random.some_of(&LABELS), "authorId": self.random.one_of(&self.members),
            "categoryId": self.random.happens(80).then(|| self.random.one_of(categories)),
            "createdAt": self.random.instant(-200..-100), "updatedAt": self.random.instant(-100..0),
        }))
    }
}

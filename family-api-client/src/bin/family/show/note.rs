//! Notes.

use family_api_client::resource::{Note, NoteCategory};

use crate::show::{Show, person_name, with_emoji, yes_or_empty};
use crate::table::Table;
use crate::text::truncate;
use crate::times::Times;

impl Show for Vec<Note> {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Note", "Content", "Pinned", "Category", "Tags", "By", "Changed", "Id"]);
        for note in self {
            table.add_row([
                with_emoji(note.emoji.as_deref(), &note.title),
                truncate(&note.content),
                yes_or_empty(note.pinned),
                category(note),
                note.tags.join(", "),
                person_name(note.author.as_ref()),
                times.date_and_time(note.updated_at),
                note.id.to_string(),
            ]);
        }
        table
    }
}

impl Show for Note {
    fn show(&self, times: &Times) -> Table {
        Table::of_fields([
            ("Note", with_emoji(self.emoji.as_deref(), &self.title)),
            ("Pinned", yes_or_empty(self.pinned)),
            ("Category", category(self)),
            ("Tags", self.tags.join(", ")),
            ("By", person_name(self.author.as_ref())),
            ("Changed", times.date_and_time(self.updated_at)),
            ("Id", self.id.to_string()),
            ("Content", self.content.clone()),
        ])
    }
}

fn category(note: &Note) -> String {
    let category = note.category.as_ref();
    category.map(|category| with_emoji(category.emoji.as_deref(), &category.name)).unwrap_or_default()
}

impl Show for NoteCategory {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([("Category", with_emoji(self.emoji.as_deref(), &self.name)), ("Id", self.id.to_string())])
    }
}

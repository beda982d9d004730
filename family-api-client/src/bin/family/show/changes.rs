//! What has changed since a state.

use family_api_client::resource::{AnyRecord, ChangeList};

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl Show for ChangeList {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["", "Kind", "Title", "Id"]);
        let mut add = |what: &str, kind: &str, title: &str, id: &str| {
            table.add_row([what, kind, title, id].map(str::to_owned));
        };
        for changed in &self.changed {
            add("changed", changed.record.kind().as_str(), title(&changed.record), &changed.id);
        }
        for deleted in &self.deleted {
            add("deleted", deleted.kind.as_str(), "", &deleted.id);
        }
        add("state", "", if self.has_more { "more changes follow it" } else { "" }, &self.new_state);
        table
    }
}

fn title(record: &AnyRecord) -> &str {
    match record {
        AnyRecord::Task(task) => &task.title,
        AnyRecord::Note(note) => &note.title,
        AnyRecord::Event(event) => &event.title,
        AnyRecord::ShoppingItem(item) => &item.name,
        AnyRecord::Board(board) => &board.name,
        AnyRecord::Column(column) => &column.name,
        AnyRecord::ShoppingList(list) => &list.name,
        AnyRecord::NoteCategory(category) => &category.name,
    }
}

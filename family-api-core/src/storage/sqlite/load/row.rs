//! A record as the row that stores it.

use std::error::Error;

use crate::storage::sqlite::load::kind::Kind;
use crate::storage::sqlite::load::{events, notes, people, shopping, tasks};
use crate::storage::{PasswordHash, Record};

/// A record as a row of its kind.
pub(super) fn row(record: Record) -> Result<(&'static Kind, String), Box<dyn Error + Send + Sync>> {
    Ok(match record {
        Record::Family(family) => (&people::FAMILY, people::family(&family)?),
        Record::User(user) => (&people::USER, people::user(&user, user.password.hash()?.map(PasswordHash::expose))?),
        Record::Key(key) => (&people::KEY, people::key(&key)?),
        Record::NoteCategory(category) => (&notes::CATEGORY, notes::category(&category)?),
        Record::Board(board) => (&tasks::BOARD, tasks::board(&board)?),
        Record::Column(column) => (&tasks::COLUMN, tasks::column(&column)?),
        Record::Task(task) => (&tasks::TASK, tasks::task(&task)?),
        Record::Event(event) => (&events::EVENT, events::event(&event)?),
        Record::ShoppingList(list) => (&shopping::LIST, shopping::list(&list)?),
        Record::ShoppingItem(item) => (&shopping::ITEM, shopping::item(&item)?),
        Record::Note(note) => (&notes::NOTE, notes::note(&note)?),
    })
}

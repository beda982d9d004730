//! Writes of events.

use std::sync::LazyLock;

use crate::change::EventFacts;
use crate::id::UserId;
use crate::resource::{Event, Person};
use crate::storage::sql::writes::{Columns, Joined, NewAuthor, SqlKind, Statements};
use crate::storage::table::Table;
use crate::storage::value::{Datum, StoredRow, Value, Values};
use crate::storage::write_sequence::Target;
use crate::storage::{EventRecord, StorageError};

impl SqlKind for Event {
    const TABLE: &'static Table = &EventRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "created_at"];
    const NAMED: Joined = Joined {
        columns: &[Columns::Person("new_assignee")],
        joins: "
            LEFT JOIN users new_assignee ON new_assignee.id = coalesce($3, '') AND new_assignee.family_id = $1",
    };
    const REFERENCED: Joined = Joined {
        columns: &[Columns::Person("assignee")],
        joins: "
            LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1",
    };

    fn statements() -> &'static Statements {
        static STATEMENTS: LazyLock<Statements> = LazyLock::new(Statements::of::<Event>);
        &STATEMENTS
    }

    fn facts_arguments<'a>(target: &Target<'a, Self>, _: &'a UserId) -> Vec<Datum<'a>> {
        vec![Value::datum(target.assignee())]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        author: &NewAuthor<'_>,
    ) -> Result<Option<EventFacts>, StorageError> {
        let new_assignee: Option<Person> = values.joined()?;
        let event = author.record(values, target)?;
        let assignee = match target {
            Target::Stored(..) => values.joined()?,
            Target::New(..) => None,
            Target::Deleted(_) => new_assignee.clone(),
        };
        let event = event.map(|event| Self { assignee, ..event });
        Ok(event.map(|event| EventFacts { event, assignee: new_assignee }))
    }
}

//! Writes of events.

use family_api_core::change::EventFacts;
use family_api_core::id::UserId;
use family_api_core::resource::{Event, Person};
use family_api_core::storage::table::Table;
use family_api_core::storage::value::{Datum, StoredFields, StoredRow, Value, Values};
use family_api_core::storage::write_sequence::Target;
use family_api_core::storage::{EventRecord, StorageError};

use crate::writes::{Creation, Joined, Selected, SqlKind};

impl SqlKind for Event {
    const TABLE: &'static Table = &EventRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "created_at"];
    const NAMED: Joined = Joined {
        columns: &[
            Selected::Person("new_assignee"),
            // No id contains a space.
            Selected::Expression(
                "CASE WHEN $4 THEN (SELECT string_agg(u.id, ' ') FROM users u WHERE u.family_id = $1) END",
            ),
        ],
        joins: "
            LEFT JOIN users new_assignee ON new_assignee.id = coalesce($3, '') AND new_assignee.family_id = $1",
    };
    const REFERENCED: Joined = Joined {
        columns: &[Selected::Person("assignee")],
        joins: "
            LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1",
    };

    fn facts_arguments<'a>(target: &Target<'a, Self>, _: &'a UserId) -> Vec<Datum<'a>> {
        vec![Value::datum(target.assignee()), Datum::Boolean(Some(target.names_participants()))]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<EventFacts>, StorageError> {
        let new_assignee: Option<Person> = values.joined()?;
        let members: Option<String> = values.take()?;
        let event = creation.record(values, target)?;
        let assignee = match target {
            Target::Stored(..) => values.joined()?,
            Target::New(..) => None,
            Target::Deleted(_) => new_assignee.clone(),
        };
        let event = event.map(|event| Self { assignee, ..event });
        let members = members.map(|ids| ids.split(' ').map(str::parse).collect::<Result<_, _>>());
        let members = members.transpose().map_err(StorageError::corrupt)?;
        Ok(event.map(|event| EventFacts { event, assignee: new_assignee, members }))
    }

    fn read_joined(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        let event = Self::read(values)?;
        Ok(Self { assignee: values.joined()?, ..event })
    }
}

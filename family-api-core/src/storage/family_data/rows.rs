//! Fills the rows of a family from records of the import format, and lists their ids.

use crate::change::Editable;
use crate::for_each_kind;
use crate::id::Id;
use crate::resource::{Person, Profile, RecordKind};
use crate::storage::family_data::RowKind;
use crate::storage::{FamilyData, Record};

macro_rules! rows_of_each_kind {
    ($($method:ident: $Record:ident,)*) => {
        impl FamilyData {
            /// Adds the row of a record of the import format: for a user, the person. A family, a key and a feed have
            /// no row.
            pub fn insert(&mut self, record: Record) {
                match record {
                    Record::Family(_) | Record::Key(_) | Record::CalendarFeed(_) => {}
                    Record::User(user) => self.people.push(Person::from(&Profile::from(user))),
                    $(Record::$Record(record) => <crate::resource::$Record>::rows_mut(self).push(record.into()),)*
                }
            }

            /// Returns the kind and the id of each record, and of each deleted record that can be restored.
            #[must_use]
            pub fn record_ids(&self) -> Vec<(RecordKind, &str)> {
                let mut ids: Vec<_> = self.deleted.iter().map(|deleted| (deleted.kind, deleted.id.as_str())).collect();
                $(
                    let rows = <crate::resource::$Record>::rows(self).iter();
                    ids.extend(rows.map(|record| (RecordKind::$Record, record.id().text())));
                )*
                ids
            }
        }
    };
}

for_each_kind!(rows_of_each_kind);

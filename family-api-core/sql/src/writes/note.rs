//! Writes of notes and their categories.

use family_api_core::change::{NoteCategoryFacts, NoteFacts};
use family_api_core::id::UserId;
use family_api_core::resource::{Note, NoteCategory, Person};
use family_api_core::storage::table::Table;
use family_api_core::storage::value::{Datum, StoredFields, StoredRow, Value, Values};
use family_api_core::storage::write_sequence::Target;
use family_api_core::storage::{CategoryRecord, NoteRecord, StorageError};

use crate::writes::{Creation, Joined, Selected, SqlKind};

impl SqlKind for Note {
    const TABLE: &'static Table = &NoteRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "author_id", "created_at"];
    const AUTHOR: Option<&'static str> = Some("author_id");
    const NAMED: Joined = Joined {
        columns: &[Selected::Category("new_category")],
        joins: "
            LEFT JOIN note_categories new_category
                ON new_category.family_id = $1 AND new_category.id = coalesce($4, '')",
    };
    const REFERENCED: Joined = Joined {
        columns: &[Selected::Category("category")],
        joins: "
            LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = t.category_id",
    };

    fn facts_arguments<'a>(target: &Target<'a, Self>, user: &'a UserId) -> Vec<Datum<'a>> {
        vec![Value::datum(target.author(user, |note| note.author_id.as_ref())), Value::datum(target.category())]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<NoteFacts>, StorageError> {
        let author: Option<Person> = values.joined()?;
        let new_category: Option<NoteCategory> = values.joined()?;
        let note = match target {
            Target::Stored(..) => {
                let stored: Option<Self> = values.joined()?;
                let category = values.joined()?;
                stored.map(|note| Self { author, category, ..note })
            }
            Target::New(..) => Some(creation.blank(target, author.as_ref())),
            Target::Deleted(note) => Some(Self { author, category: new_category.clone(), ..(*note).clone() }),
        };
        Ok(note.map(|note| NoteFacts { note, category: new_category }))
    }

    fn read_joined(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        let note = Self::read(values)?;
        Ok(Self { author: values.joined()?, category: values.joined()?, ..note })
    }
}

impl SqlKind for NoteCategory {
    const TABLE: &'static Table = &CategoryRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "parent_id"];
    const EMPTY: Option<&'static str> = Some(
        "NOT EXISTS (SELECT 1 FROM notes o WHERE o.family_id = $1 AND o.category_id = $2)
          AND NOT EXISTS (SELECT 1 FROM note_categories o WHERE o.family_id = $1 AND o.parent_id = $2)",
    );

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<NoteCategoryFacts>, StorageError> {
        Ok(creation.record(values, target)?.map(|category| NoteCategoryFacts { category }))
    }
}

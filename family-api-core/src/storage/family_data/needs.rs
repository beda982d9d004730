//! The rows that a call needs from a [`FamilyStore`](crate::storage::FamilyStore).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::id::Id;
use crate::resource::{RecordKind, ResourceKind};
use crate::storage::{Operation, RecordWrite, Writable};

/// The rows of a family that a call needs, beside its people. A store can load more than that.
///
/// ```
/// use family_api_core::resource::{RecordKind, ResourceKind};
/// use family_api_core::storage::{Needs, Rows};
///
/// let needs = Needs::of_resource(ResourceKind::Shopping);
/// assert_eq!(needs.rows(RecordKind::ShoppingItem), Rows::All);
/// assert_eq!(needs.rows(RecordKind::Task), Rows::None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    kinds: BTreeMap<RecordKind, Option<String>>,
    deleted: Option<(RecordKind, Option<String>)>,
    answer: Option<String>,
    changes: bool,
    created: Option<RecordKind>,
}

/// Which rows of a kind a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows<'a> {
    /// None.
    None,
    /// Only the row with this id, if it exists.
    One(&'a str),
    /// All rows of the family.
    All,
}

impl Needs {
    /// Returns the needs of a read of all records of a resource.
    #[must_use]
    pub fn of_resource(resource: ResourceKind) -> Self {
        let resource = if resource == ResourceKind::TaskStats { ResourceKind::Tasks } else { resource };
        let kinds = RecordKind::ALL.into_iter().filter(|kind| kind.resource() == resource);
        Self { kinds: kinds.map(|kind| (kind, None)).collect(), ..Self::default() }
    }

    /// Returns the needs of a list of the members: only the people.
    #[must_use]
    pub fn of_members() -> Self {
        Self::default()
    }

    /// Returns the needs of a read of one record, with its container or category.
    #[must_use]
    pub fn of_record(kind: RecordKind, id: &str) -> Self {
        let mut needs = Self::of_resource(kind.resource());
        needs.kinds.insert(kind, Some(id.to_owned()));
        needs
    }

    /// Returns the needs of a list of the deleted records of a kind.
    #[must_use]
    pub fn of_deleted(kind: RecordKind) -> Self {
        let mut needs = Self::of_resource(kind.resource());
        needs.kinds.remove(&kind);
        Self { deleted: Some((kind, None)), ..needs }
    }

    /// Returns the needs of a read of the changes: the log, and all records of the kinds.
    #[must_use]
    pub fn of_changes(kinds: &[RecordKind]) -> Self {
        let resources = kinds.iter().map(|kind| Self::of_resource(kind.resource()).kinds);
        Self { kinds: resources.flatten().collect(), changes: true, ..Self::default() }
    }

    /// Returns the needs of a write. A creation, a restoration, a split and a longer text count the rows of the kind. A
    /// new position depends on the other rows, and the deletion of a container on the rows in it.
    #[must_use]
    pub fn of_write<R: Writable>(write: &RecordWrite<R>) -> Self {
        let id = write.operation.id().text();
        let mut needs = Self::of_resource(R::KIND.resource());
        match &write.operation {
            Operation::Create { idempotency, .. } => {
                needs.answer = idempotency.as_ref().map(|request| request.key.as_str().to_owned());
                needs.created = Some(R::KIND);
            }
            Operation::Restore { .. } => needs.deleted = Some((R::KIND, Some(id.to_owned()))),
            Operation::Update { new_id: Some(_), .. } => needs.created = Some(R::KIND),
            Operation::Update { update, .. } if depends_on_other_rows(R::KIND, update) => {}
            Operation::Update { .. } | Operation::Delete { .. } if R::KIND.is_container() => {}
            Operation::Update { .. } | Operation::Delete { .. } => {
                needs.kinds.insert(R::KIND, Some(id.to_owned()));
            }
        }
        needs
    }

    /// Returns which stored records of a kind the call needs.
    #[must_use]
    pub fn rows(&self, kind: RecordKind) -> Rows<'_> {
        self.kinds.get(&kind).map_or(Rows::None, |only| Rows::of(only.as_deref()))
    }

    /// Returns the fields of [`FamilyData`](crate::storage::FamilyData) with records of the family, as JSON: `null` for
    /// all rows, or the id of the only row. For a store whose database builds the JSON of the data.
    ///
    /// ```
    /// use family_api_core::resource::RecordKind;
    /// use family_api_core::storage::Needs;
    ///
    /// let needs = Needs::of_record(RecordKind::ShoppingItem, "milk");
    /// assert_eq!(needs.fields(), serde_json::json!({ "people": null, "lists": null, "items": "milk" }));
    /// ```
    #[must_use]
    pub fn fields(&self) -> Value {
        let kinds = self.kinds.iter().map(|(kind, only)| (field(*kind).to_owned(), only.clone().into()));
        Value::Object(std::iter::once(("people".to_owned(), Value::Null)).chain(kinds).collect::<Map<_, _>>())
    }

    /// Returns the kind of the [deleted records](crate::storage::FamilyData::deleted) that the call needs, and which of
    /// this kind. No call needs deleted records of two kinds.
    ///
    /// ```
    /// use family_api_core::resource::RecordKind;
    /// use family_api_core::storage::{Needs, Rows};
    ///
    /// assert_eq!(Needs::of_deleted(RecordKind::Note).deleted(), Some((RecordKind::Note, Rows::All)));
    /// assert_eq!(Needs::of_record(RecordKind::Note, "recipe").deleted(), None);
    /// ```
    #[must_use]
    pub fn deleted(&self) -> Option<(RecordKind, Rows<'_>)> {
        self.deleted.as_ref().map(|(kind, only)| (*kind, Rows::of(only.as_deref())))
    }

    /// Returns the idempotency key whose [answer](crate::storage::FamilyData::answers) to the member the call needs.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    /// Returns whether the call needs the [log of changes](crate::storage::FamilyData::changes).
    #[must_use]
    pub const fn changes(&self) -> bool {
        self.changes
    }

    /// Returns the kind of the record that the call can create. A store that assigns ids needs it for
    /// [`FamilyData::new_id`](crate::storage::FamilyData::new_id).
    #[must_use]
    pub fn created(&self) -> Option<RecordKind> {
        self.created
    }
}

impl<'a> Rows<'a> {
    fn of(only: Option<&'a str>) -> Self {
        only.map_or(Self::All, Self::One)
    }

    /// Returns the id of the only row, or `None` for all rows or none. A statement can load all rows then: more rows
    /// than needed are allowed.
    #[must_use]
    pub const fn id(self) -> Option<&'a str> {
        match self {
            Self::One(id) => Some(id),
            Self::None | Self::All => None,
        }
    }
}

/// Returns the field of [`FamilyData`](crate::storage::FamilyData) that contains the records of a kind.
const fn field(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Task => "tasks",
        RecordKind::Note => "notes",
        RecordKind::Event => "events",
        RecordKind::ShoppingItem => "items",
        RecordKind::Board => "boards",
        RecordKind::Column => "columns",
        RecordKind::ShoppingList => "lists",
        RecordKind::NoteCategory => "categories",
    }
}

/// Returns whether an update can make the text of the record longer, or moves the record.
fn depends_on_other_rows(kind: RecordKind, update: &impl serde::Serialize) -> bool {
    let Ok(Value::Object(fields)) = serde_json::to_value(update) else {
        return true;
    };
    let depends = |field: &String| {
        kind.text_columns().contains(&field.as_str()) || matches!(field.as_str(), "columnId" | "order" | "type")
    };
    fields.keys().any(depends)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::calendar::Zone;
    use crate::resource::{Note, Task};
    use crate::storage::FamilyData;
    use crate::validation::Json;

    fn update<R: Writable>(body: &str) -> Needs {
        let update = R::parse_update(Json::parse(body.as_bytes()).unwrap()).unwrap();
        let operation = Operation::<R>::update("one".parse().unwrap_or_else(|_| unreachable!()), update);
        Needs::of_write(&RecordWrite::new(operation, Zone::utc(), crate::Timestamp::MIN))
    }

    #[test]
    fn an_update_of_one_task_needs_the_other_tasks_only_for_its_position_and_the_size_of_its_text() {
        for body in [r#"{"completed":true}"#, r#"{"priority":"LOW"}"#, r#"{"assigneeId":"ana"}"#, r#"{"dueDate":null}"#]
        {
            assert_eq!(update::<Task>(body).rows(RecordKind::Task), Rows::One("one"), "{body}");
        }
        for body in [
            r#"{"title":"x"}"#,
            r#"{"description":"x"}"#,
            r#"{"labels":[]}"#,
            r#"{"columnId":"c"}"#,
            r#"{"order":1}"#,
            r#"{"type":"move-task","columnId":"c","order":1}"#,
        ] {
            assert_eq!(update::<Task>(body).rows(RecordKind::Task), Rows::All, "{body}");
        }
        assert_eq!(update::<Task>(r#"{"title":"x"}"#).rows(RecordKind::Board), Rows::All);
        assert_eq!(update::<Note>(r#"{"pinned":true}"#).rows(RecordKind::Task), Rows::None);
    }

    #[test]
    fn the_fields_are_those_of_the_family_data() {
        for kind in RecordKind::ALL {
            let data = json!({ (field(kind)): [] });
            assert!(serde_json::from_value::<FamilyData>(data).is_ok(), "{kind:?}");
        }
    }
}

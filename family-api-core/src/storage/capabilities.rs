//! What a storage keeps.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use crate::resource::{RecordKind, ResourceKind, Verb};

/// The fields without which there is no record of a kind that has them.
const EVERY_RECORD_HAS: [&str; 10] =
    ["id", "columnId", "listId", "boardId", "title", "name", "startDate", "endDate", "createdAt", "updatedAt"];

/// The fields with the only user who sees a private record.
const OWNERS: [&str; 3] = ["creatorId", "addedById", "ownerUserId"];

/// The resources, the fields and the operations that a storage supports.
///
/// ```
/// use family_api_core::resource::{RecordKind, Verb};
/// use family_api_core::storage::Capabilities;
///
/// let capabilities = Capabilities::updates().with(RecordKind::Task, Verb::Create).without_field(RecordKind::Task, "labels");
/// assert!(capabilities.supports(RecordKind::Task, Verb::Create));
/// assert!(!capabilities.supports(RecordKind::Event, Verb::Create));
/// assert!(!capabilities.keeps_field(RecordKind::Task, "labels"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    operations: BTreeSet<(RecordKind, Verb)>,
    lost_fields: BTreeSet<(RecordKind, &'static str)>,
    lost_profile_fields: BTreeSet<&'static str>,
    lost_kinds: BTreeSet<RecordKind>,
    lost_resources: HashSet<ResourceKind>,
    keeps_changes: bool,
}

impl Capabilities {
    /// Returns the capabilities of a storage that supports every resource, field and operation.
    #[must_use]
    pub fn all() -> Self {
        RecordKind::ALL.into_iter().fold(Self::reads(), |kept, kind| kept.with_all(kind, &Verb::ALL))
    }

    /// Returns the capabilities of a storage that supports all reads, updates of tasks, and updates and deletions of
    /// notes.
    #[must_use]
    pub fn updates() -> Self {
        let kept = Self::reads().with(RecordKind::Task, Verb::Update);
        kept.with_all(RecordKind::Note, &[Verb::Update, Verb::Delete])
    }

    /// Returns the capabilities of a storage that supports all reads, and no operation.
    #[must_use]
    pub fn reads() -> Self {
        Self::default()
    }

    /// Returns the capabilities of a storage for a flat app: its tasks, notes, events and shopping items are created,
    /// updated and deleted, and are in no boards, lists or categories. It has no private records and no positions, and
    /// does not restore deleted records.
    #[must_use]
    pub fn flat() -> Self {
        let kinds = RecordKind::ALL.into_iter().filter(|kind| !kind.is_container());
        let kept =
            kinds.fold(Self::reads(), |kept, kind| kept.with_all(kind, &[Verb::Create, Verb::Update, Verb::Delete]));
        kept.without_boards().without_lists().without_categories().without_privacy().without_order()
    }

    fn with_all(self, kind: RecordKind, verbs: &[Verb]) -> Self {
        verbs.iter().fold(self, |kept, verb| kept.with(kind, *verb))
    }

    /// Adds an operation.
    #[must_use]
    pub fn with(mut self, kind: RecordKind, verb: Verb) -> Self {
        if kind.has(verb) {
            self.operations.insert((kind, verb));
        }
        self
    }

    /// Removes an operation.
    #[must_use]
    pub fn without(mut self, kind: RecordKind, verb: Verb) -> Self {
        self.operations.remove(&(kind, verb));
        self
    }

    /// Removes a field, by its name in JSON. Without the field of its container, such as `listId`, a record cannot move.
    /// The container of a new record is in the path. Without the field of its owner, such as `creatorId`, a record cannot
    /// be private. Without its recurrence, an event has no changed occurrences. Without its due date, a task does not
    /// recur.
    #[must_use]
    pub fn without_field(mut self, kind: RecordKind, field: &'static str) -> Self {
        self.lost_fields.insert((kind, field));
        if OWNERS.contains(&field) {
            self.lost_fields.insert((kind, "isPrivate"));
        }
        match (kind, field) {
            (RecordKind::Event, "recurrence") => self.lost_fields.insert((kind, "overrides")),
            (RecordKind::Task, "dueDate") => self.lost_fields.insert((kind, "recurrence")),
            _ => false,
        };
        self
    }

    /// Removes boards and columns. All tasks are then in [`Column::only`](crate::resource::Column::only), on
    /// [`Board::only`](crate::resource::Board::only), and cannot move.
    #[must_use]
    pub fn without_boards(self) -> Self {
        self.without_kinds(&[RecordKind::Board, RecordKind::Column]).without_field(RecordKind::Task, "columnId")
    }

    /// Removes shopping lists. All items are then in [`ShoppingList::only`](crate::resource::ShoppingList::only).
    #[must_use]
    pub fn without_lists(self) -> Self {
        self.without_kinds(&[RecordKind::ShoppingList]).without_field(RecordKind::ShoppingItem, "listId")
    }

    /// Removes categories of notes.
    #[must_use]
    pub fn without_categories(self) -> Self {
        self.without_kinds(&[RecordKind::NoteCategory]).without_field(RecordKind::Note, "categoryId")
    }

    /// Removes private records: every member of the family sees every record.
    #[must_use]
    pub fn without_privacy(self) -> Self {
        let kinds = [RecordKind::Board, RecordKind::Task, RecordKind::ShoppingList, RecordKind::ShoppingItem];
        kinds.into_iter().fold(self, |kept, kind| kept.without_field(kind, "isPrivate"))
    }

    /// Removes the positions of tasks, columns, boards and lists. The storage returns each with the position 0.
    #[must_use]
    pub fn without_order(self) -> Self {
        let kinds = [RecordKind::Task, RecordKind::Column, RecordKind::Board];
        let kept = kinds.into_iter().fold(self, |kept, kind| kept.without_field(kind, "order"));
        kept.without_field(RecordKind::ShoppingList, "sortOrder")
    }

    /// Removes the users that records name: assignees, participants, creators, authors, owners, and who added an item. Without them,
    /// no record is private.
    #[must_use]
    pub fn without_participants(self) -> Self {
        let fields = [
            (RecordKind::Task, "assigneeId"),
            (RecordKind::Task, "creatorId"),
            (RecordKind::Event, "assigneeId"),
            (RecordKind::Event, "participantIds"),
            (RecordKind::ShoppingItem, "addedById"),
            (RecordKind::Note, "authorId"),
            (RecordKind::Board, "ownerUserId"),
            (RecordKind::ShoppingList, "ownerUserId"),
        ];
        fields.into_iter().fold(self, |kept, (kind, field)| kept.without_field(kind, field))
    }

    /// Removes fields of a kind, as [`without_field`](Self::without_field) does.
    #[must_use]
    pub fn without_fields(self, kind: RecordKind, fields: &[&'static str]) -> Self {
        fields.iter().fold(self, |kept, field| kept.without_field(kind, field))
    }

    /// Removes fields of profiles and persons, by their names in JSON. The storage returns the values of
    /// [`Profile::new`](crate::resource::Profile::new).
    #[must_use]
    pub fn without_profile_fields(mut self, fields: &[&'static str]) -> Self {
        self.lost_profile_fields.extend(fields);
        self
    }

    /// Removes a field of profiles and persons, by its name in JSON.
    #[must_use]
    pub fn without_profile_field(mut self, field: &'static str) -> Self {
        self.lost_profile_fields.insert(field);
        self
    }

    /// Removes a resource, and all operations on its records. The API answers a read of the resource with 404. The
    /// storage's own method returns an empty document.
    #[must_use]
    pub fn without_resource(mut self, resource: ResourceKind) -> Self {
        self.lost_resources.insert(resource);
        self
    }

    /// Adds the [log of changes](crate::storage::LoggedChange). Each write must then store its rows. The storage must count
    /// revisions, and a [`FamilyStore`](crate::storage::FamilyStore) must add 1 to the revision with each change that it
    /// makes.
    #[must_use]
    pub fn with_changes(self) -> Self {
        Self { keeps_changes: true, ..self }
    }

    /// Returns whether the storage keeps a log of changes.
    #[must_use]
    pub const fn keeps_changes(&self) -> bool {
        self.keeps_changes
    }

    fn without_kinds(mut self, kinds: &[RecordKind]) -> Self {
        self.lost_kinds.extend(kinds);
        self
    }

    /// Returns whether the storage supports an operation.
    #[must_use]
    pub fn supports(&self, kind: RecordKind, verb: Verb) -> bool {
        self.operations.contains(&(kind, verb)) && self.keeps_kind(kind)
    }

    /// Returns whether the storage keeps the records of a kind.
    #[must_use]
    pub fn keeps_kind(&self, kind: RecordKind) -> bool {
        !self.lost_kinds.contains(&kind) && self.keeps_resource(kind.resource())
    }

    /// Returns whether the storage keeps a field, by its name in JSON.
    #[must_use]
    pub fn keeps_field(&self, kind: RecordKind, field: &str) -> bool {
        !self.lost_fields.iter().any(|lost| *lost == (kind, field))
    }

    /// Returns whether the storage keeps a field of profiles and persons, by its name in JSON.
    #[must_use]
    pub fn keeps_profile_field(&self, field: &str) -> bool {
        !self.lost_profile_fields.contains(field)
    }

    /// Sets the fields of a record that the storage does not keep to the values of a record without them: `null`,
    /// `false`, 0, an empty list or text, or the priority `MEDIUM`. So are the persons beside ids that the storage does
    /// not keep. The container and the fields that every record has, such as `title` and `updatedAt`, stay.
    pub fn clear_lost_fields(&self, kind: RecordKind, record: &mut Value) {
        for field in self.lost_fields(kind).filter(|field| !EVERY_RECORD_HAS.contains(field)) {
            if let Some(value) = record.get_mut(field) {
                *value = match value {
                    Value::Bool(_) => false.into(),
                    Value::Number(_) => 0.into(),
                    Value::Array(_) => Value::Array(Vec::new()),
                    _ if field == "priority" => "MEDIUM".into(),
                    _ if field == "content" => "".into(),
                    _ => Value::Null,
                };
            }
            if let Some(person) = field.strip_suffix("Id").and_then(|person| record.get_mut(person)) {
                *person = Value::Null;
            }
        }
    }

    /// Returns the fields that the storage does not keep.
    pub fn lost_fields(&self, kind: RecordKind) -> impl Iterator<Item = &'static str> + use<'_> {
        self.lost_fields.iter().filter(move |(of, _)| *of == kind).map(|(_, field)| *field)
    }

    /// Returns whether the storage keeps every field of the records of a kind.
    #[must_use]
    pub fn keeps_every_field(&self, kind: RecordKind) -> bool {
        self.lost_fields(kind).next().is_none()
    }

    /// Returns whether the storage keeps a resource.
    #[must_use]
    pub fn keeps_resource(&self, resource: ResourceKind) -> bool {
        !self.lost_resources.contains(&resource)
    }

    /// Returns the resources that the storage keeps.
    pub fn resources(&self) -> impl Iterator<Item = ResourceKind> {
        ResourceKind::ALL.into_iter().filter(|resource| self.keeps_resource(*resource))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_records_that_are_kept_after_a_deletion_can_be_restored() {
        for kind in RecordKind::ALL {
            assert_eq!(Capabilities::all().supports(kind, Verb::Restore), kind.is_restorable(), "{kind:?}");
            let with = Capabilities::updates().with(kind, Verb::Restore);
            assert_eq!(with.supports(kind, Verb::Restore), kind.is_restorable(), "{kind:?}");
            assert!(Capabilities::all().supports(kind, Verb::Create), "{kind:?}");
        }
    }

    #[test]
    fn a_resource_that_is_not_kept_has_no_operations() {
        let capabilities = Capabilities::all().without_resource(ResourceKind::Shopping);
        assert!(!capabilities.supports(RecordKind::ShoppingItem, Verb::Update));
        assert!(!capabilities.supports(RecordKind::ShoppingList, Verb::Create));
        assert!(capabilities.supports(RecordKind::Task, Verb::Create));
        assert!(!capabilities.keeps_resource(ResourceKind::Shopping));
        assert_eq!(capabilities.resources().count(), ResourceKind::ALL.len() - 1);
    }

    #[test]
    fn a_flat_storage_keeps_no_containers_and_nothing_that_needs_them() {
        let flat = Capabilities::flat();
        for kind in RecordKind::ALL {
            assert_eq!(flat.keeps_kind(kind), !kind.is_container(), "{kind:?}");
            assert_eq!(flat.supports(kind, Verb::Create), !kind.is_container(), "{kind:?}");
            assert!(!flat.supports(kind, Verb::Restore), "{kind:?}");
        }
        for (kind, field) in [
            (RecordKind::Task, "columnId"),
            (RecordKind::Task, "order"),
            (RecordKind::Task, "isPrivate"),
            (RecordKind::ShoppingItem, "listId"),
            (RecordKind::Note, "categoryId"),
        ] {
            assert!(!flat.keeps_field(kind, field), "{field}");
        }
        assert!(flat.keeps_field(RecordKind::Task, "assigneeId"));
        assert!(!flat.clone().without_participants().keeps_field(RecordKind::Task, "assigneeId"));
        assert_eq!(flat.resources().count(), ResourceKind::ALL.len());
    }

    #[test]
    fn a_record_without_an_owner_cannot_be_private() {
        for (kind, owner) in [
            (RecordKind::Task, "creatorId"),
            (RecordKind::ShoppingItem, "addedById"),
            (RecordKind::Board, "ownerUserId"),
            (RecordKind::ShoppingList, "ownerUserId"),
        ] {
            assert!(!Capabilities::all().without_field(kind, owner).keeps_field(kind, "isPrivate"), "{owner}");
        }
    }

    #[test]
    fn a_task_without_a_due_date_does_not_recur() {
        let without = |field| Capabilities::all().without_field(RecordKind::Task, field);
        assert!(!without("dueDate").keeps_field(RecordKind::Task, "recurrence"));
        assert!(without("recurrence").keeps_field(RecordKind::Task, "dueDate"));
    }

    #[test]
    fn a_task_of_which_every_field_is_cleared_is_a_task() {
        let task = serde_json::json!({
            "id": "t", "columnId": "c", "title": "t", "description": "d", "priority": "HIGH", "completed": true,
            "order": 3, "labels": ["l"], "isPrivate": true, "assigneeId": "ana", "creatorId": "ana",
            "assignee": { "id": "ana", "name": "Ana" }, "dueDate": "2026-11-20T12:00:00Z",
            "createdAt": "2026-11-20T12:00:00Z", "updatedAt": "2026-11-20T12:00:00Z",
        });
        let fields: Vec<_> = task.as_object().unwrap().keys().cloned().collect();
        let mut kept = Capabilities::all();
        for field in fields {
            kept = kept.without_field(RecordKind::Task, String::leak(field));
        }
        let mut cleared = task;
        kept.clear_lost_fields(RecordKind::Task, &mut cleared);
        let cleared: crate::resource::Task = serde_json::from_value(cleared).unwrap();
        assert_eq!((cleared.title.as_str(), cleared.order, cleared.is_private), ("t", 0, false));
        assert_eq!((cleared.description, cleared.assignee, cleared.creator_id), (None, None, None));
    }

    #[test]
    fn an_operation_can_be_removed() {
        let capabilities = Capabilities::all().without(RecordKind::Note, Verb::Delete);
        assert!(!capabilities.supports(RecordKind::Note, Verb::Delete));
        assert!(capabilities.supports(RecordKind::Note, Verb::Update));
    }
}

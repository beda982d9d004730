//! What a storage keeps.

use std::collections::{BTreeSet, HashSet};

use crate::resource::{RecordKind, ResourceKind, Verb};

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    operations: BTreeSet<(RecordKind, Verb)>,
    lost_fields: BTreeSet<(RecordKind, &'static str)>,
    lost_resources: HashSet<ResourceKind>,
}

impl Capabilities {
    /// Returns the capabilities of a storage that supports everything.
    #[must_use]
    pub fn all() -> Self {
        let kinds = RecordKind::ALL.into_iter();
        Self::of(kinds.flat_map(|kind| Verb::ALL.map(|verb| (kind, verb))))
    }

    /// Returns the capabilities of a storage that supports all reads, updates of tasks, and updates and deletions of
    /// notes.
    #[must_use]
    pub fn updates() -> Self {
        Self::of([(RecordKind::Task, Verb::Update), (RecordKind::Note, Verb::Update), (RecordKind::Note, Verb::Delete)])
    }

    fn of(operations: impl IntoIterator<Item = (RecordKind, Verb)>) -> Self {
        let operations = operations.into_iter().filter(|(kind, verb)| kind.has(*verb));
        Self { operations: operations.collect(), lost_fields: BTreeSet::new(), lost_resources: HashSet::new() }
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
    /// The container of a new record is in the path.
    #[must_use]
    pub fn without_field(mut self, kind: RecordKind, field: &'static str) -> Self {
        self.lost_fields.insert((kind, field));
        self
    }

    /// Removes a resource, and all operations on its records. The API answers a read of the resource with 404. The
    /// storage's own method returns an empty document.
    #[must_use]
    pub fn without_resource(mut self, resource: ResourceKind) -> Self {
        self.lost_resources.insert(resource);
        self
    }

    /// Returns whether the storage supports an operation.
    #[must_use]
    pub fn supports(&self, kind: RecordKind, verb: Verb) -> bool {
        self.operations.contains(&(kind, verb)) && self.keeps_resource(kind.resource())
    }

    /// Returns whether the storage keeps a field, by its name in JSON.
    #[must_use]
    pub fn keeps_field(&self, kind: RecordKind, field: &str) -> bool {
        !self.lost_fields.iter().any(|lost| *lost == (kind, field))
    }

    /// Returns the fields that the storage does not keep.
    pub(crate) fn lost_fields(&self, kind: RecordKind) -> impl Iterator<Item = &'static str> {
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
    fn an_operation_can_be_removed() {
        let capabilities = Capabilities::all().without(RecordKind::Note, Verb::Delete);
        assert!(!capabilities.supports(RecordKind::Note, Verb::Delete));
        assert!(capabilities.supports(RecordKind::Note, Verb::Update));
    }
}

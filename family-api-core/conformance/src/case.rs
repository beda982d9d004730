//! One case of a suite.

use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use futures_util::future::BoxFuture;

use crate::Subject;

type CaseFn<S> = for<'a> fn(&'a S) -> BoxFuture<'a, ()>;

/// One behaviour that a storage must have. Run each case with a new subject.
pub struct Case<S: ?Sized> {
    name: &'static str,
    needs: Needs,
    run: CaseFn<S>,
}

/// What a storage must keep and support so that a case applies to it.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// Whether the storage must keep every record and field.
    pub(super) everything: bool,
    /// Whether the storage must keep a log of changes.
    pub(super) changes: bool,
    pub(super) resources: &'static [ResourceKind],
    pub(super) kinds: &'static [RecordKind],
    pub(super) fields: &'static [(RecordKind, &'static str)],
    pub(super) operations: &'static [(RecordKind, Verb)],
    /// The operations that the storage must support on one kind of record, which can be any kind.
    pub(super) of_any_kind: &'static [Verb],
    /// Whether the storage must support an operation.
    pub(super) any_write: bool,
    /// Operations of which the storage must support one.
    pub(super) any_of: &'static [(RecordKind, Verb)],
}

impl Needs {
    /// Returns the first thing that is missing.
    fn missing(&self, kept: &Capabilities) -> Option<String> {
        let keeps_everything =
            || RecordKind::ALL.into_iter().all(|kind| kept.keeps_kind(kind) && kept.keeps_every_field(kind));
        if self.everything && !keeps_everything() {
            return Some("every record and field".to_owned());
        }
        if self.changes && !kept.keeps_changes() {
            return Some("a log of changes".to_owned());
        }
        if let Some(resource) = self.resources.iter().find(|resource| !kept.keeps_resource(**resource)) {
            return Some(format!("the resource {}", resource.as_str()));
        }
        let mut kinds = self.kinds.iter().chain(self.fields.iter().map(|(kind, _)| kind));
        if let Some(kind) = kinds.find(|kind| !kept.keeps_kind(**kind)) {
            return Some(plural(*kind));
        }
        if let Some((kind, field)) = self.fields.iter().find(|(kind, field)| !kept.keeps_field(*kind, field)) {
            return Some(format!("the field {field} of {}", plural(*kind)));
        }
        if let Some((kind, verb)) = self.operations.iter().find(|(kind, verb)| !kept.supports(*kind, *verb)) {
            return Some(format!("to {} {}", verb.as_str(), plural(*kind)));
        }
        let supports = |(kind, verb): &(RecordKind, Verb)| kept.supports(*kind, *verb);
        let mut all = RecordKind::ALL.into_iter().flat_map(|kind| Verb::ALL.map(|verb| (kind, verb)));
        if self.any_write && !all.any(|operation| supports(&operation)) {
            return Some("to write records".to_owned());
        }
        let supports_all = |kind: RecordKind| self.of_any_kind.iter().all(|verb| kept.supports(kind, *verb));
        if !self.of_any_kind.is_empty() && !RecordKind::ALL.into_iter().any(supports_all) {
            let verbs: Vec<_> = self.of_any_kind.iter().map(|verb| verb.as_str()).collect();
            return Some(format!("to {} records of some kind", verbs.join(" and ")));
        }
        if !self.any_of.is_empty() && !self.any_of.iter().any(supports) {
            let any = self.any_of.iter().map(|(kind, verb)| format!("to {} {}", verb.as_str(), plural(*kind)));
            return Some(any.collect::<Vec<_>>().join(" or "));
        }
        None
    }
}

fn plural(kind: RecordKind) -> String {
    let name = kind.as_str().replace('_', " ");
    name.strip_suffix('y').map_or_else(|| format!("{name}s"), |stem| format!("{stem}ies"))
}

impl<S: ?Sized> Case<S> {
    pub(super) const fn new(name: &'static str, needs: Needs, run: CaseFn<S>) -> Self {
        Self { name, needs, run }
    }

    /// Returns the behaviour as a sentence with underscores.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns why the case does not apply to a storage with these capabilities, such as `needs boards`. Returns `None`
    /// if it applies.
    #[must_use]
    pub fn left_out(&self, capabilities: &Capabilities) -> Option<String> {
        self.needs.missing(capabilities).map(|missing| format!("needs {missing}"))
    }
}

/// Returns the names of the cases that do not apply to a storage with these capabilities, each with the reason.
///
/// ```
/// use family_api_conformance::{left_out_cases, storage_cases};
/// use family_api_core::storage::Capabilities;
///
/// let left_out = left_out_cases(&storage_cases(), &Capabilities::flat());
/// assert!(left_out.contains(&("columns_are_sorted_by_order_then_id_and_can_be_empty", "needs boards".to_owned())));
/// ```
#[must_use]
pub fn left_out_cases<S: ?Sized>(cases: &[Case<S>], capabilities: &Capabilities) -> Vec<(&'static str, String)> {
    cases.iter().filter_map(|case| Some((case.name, case.left_out(capabilities)?))).collect()
}

impl<S: Subject + ?Sized> Case<S> {
    /// Checks that the subject has the behaviour, unless the case is [left out](Self::left_out) for its storage.
    ///
    /// # Panics
    /// Panics if the subject does not have the behaviour.
    pub async fn run(&self, subject: &S) {
        if self.left_out(&subject.storage().capabilities()).is_none() {
            (self.run)(subject).await;
        }
    }
}

impl<S: ?Sized> std::fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Case({})", self.name)
    }
}

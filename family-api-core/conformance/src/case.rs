//! One case of a suite.

use family_api_core::resource::{RecordKind, ResourceKind};
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

/// What a storage must keep so that a case applies to it.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    pub(super) resources: &'static [ResourceKind],
    /// The kinds of records of which the storage must keep every field.
    pub(super) every_field_of: &'static [RecordKind],
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

    /// Returns whether the case applies to a storage with these capabilities.
    #[must_use]
    pub fn applies_to(&self, capabilities: &Capabilities) -> bool {
        let Needs { resources, every_field_of } = self.needs;
        resources.iter().all(|resource| capabilities.keeps_resource(*resource))
            && every_field_of.iter().all(|kind| capabilities.keeps_every_field(*kind))
    }
}

impl<S: Subject + ?Sized> Case<S> {
    /// Checks that the subject has the behaviour, if the case [applies](Self::applies_to) to its storage.
    ///
    /// # Panics
    /// Panics if the subject does not have the behaviour.
    pub async fn run(&self, subject: &S) {
        if self.applies_to(&subject.storage().capabilities()) {
            (self.run)(subject).await;
        }
    }
}

impl<S: ?Sized> std::fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Case({})", self.name)
    }
}

//! One case of a suite.

use futures_util::future::BoxFuture;

type CaseFn<S> = for<'a> fn(&'a S) -> BoxFuture<'a, ()>;

/// One behaviour that a storage must have. Run each case with a new subject.
pub struct Case<S: ?Sized> {
    name: &'static str,
    run: CaseFn<S>,
}

impl<S: ?Sized> Case<S> {
    pub(super) const fn new(name: &'static str, run: CaseFn<S>) -> Self {
        Self { name, run }
    }

    /// Returns the behaviour as a sentence with underscores.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Checks that the subject has the behaviour.
    ///
    /// # Panics
    /// Panics if the subject does not have the behaviour.
    pub async fn run(&self, subject: &S) {
        (self.run)(subject).await;
    }
}

impl<S: ?Sized> std::fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Case({})", self.name)
    }
}

//! One case of a suite.

use futures_util::future::BoxFuture;

type Run<S> = for<'a> fn(&'a S) -> BoxFuture<'a, ()>;

/// One promise of a storage, to be held against a fresh subject.
pub struct Case<S: ?Sized> {
    name: &'static str,
    run: Run<S>,
}

impl<S: ?Sized> Case<S> {
    pub(super) const fn new(name: &'static str, run: Run<S>) -> Self {
        Self { name, run }
    }

    /// The promise, as a sentence with underscores.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Holds the subject to the promise.
    ///
    /// # Panics
    /// Where the subject breaks it.
    pub async fn run(&self, subject: &S) {
        (self.run)(subject).await;
    }
}

impl<S: ?Sized> std::fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Case({})", self.name)
    }
}

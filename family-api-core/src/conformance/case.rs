//! One case of a suite.

use futures_util::future::BoxFuture;

type Run<S> = for<'a> fn(&'a S) -> BoxFuture<'a, ()>;

/// One promise of a storage. Run it with a fresh subject.
pub struct Case<S: ?Sized> {
    name: &'static str,
    run: Run<S>,
}

impl<S: ?Sized> Case<S> {
    pub(super) const fn new(name: &'static str, run: Run<S>) -> Self {
        Self { name, run }
    }

    /// Returns the promise: a sentence with underscores.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Checks that the subject keeps the promise.
    ///
    /// # Panics
    /// Panics if the subject breaks the promise.
    pub async fn run(&self, subject: &S) {
        (self.run)(subject).await;
    }
}

impl<S: ?Sized> std::fmt::Debug for Case<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Case({})", self.name)
    }
}

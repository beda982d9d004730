//! Marks the answers of requests that were refused because of the load, for a host's metrics.

use salvo::Response;

/// Marks the answer of a request that was refused because of the load. Stored in the extensions of the response.
///
/// Such an answer is 503 `unavailable`, as if the storage is not available. The answer to a batch, which is 200, is
/// also marked if one of its requests was refused because of the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overload(());

impl Overload {
    /// Returns whether the request, or one in its batch, was refused because of the load ([`Error::Overloaded`]).
    ///
    /// [`Error::Overloaded`]: family_api_core::Error::Overloaded
    #[must_use]
    pub fn caused(res: &Response) -> bool {
        res.extensions.get::<Self>().is_some()
    }

    pub(crate) fn mark(res: &mut Response) {
        res.extensions.insert(Self(()));
    }
}

//! Refuses requests of pages that belong to another origin (HTTP reference, "MCP endpoints").

use std::sync::Arc;

use salvo::Request;

use crate::guard::same_site::own_origin;
use crate::{HttpError, Origin};
use salvo::http::header::ORIGIN;

/// Requires that `Origin`, if it is present, is the server's own origin or an origin that CORS allows.
///
/// Unlike [`SameSite`](crate::SameSite), it does not trust `Sec-Fetch-Site`: MCP requires a check of `Origin`.
#[derive(Debug, Clone)]
pub(crate) struct OwnOrigin {
    address: Option<Origin>,
    allowed: Arc<[Origin]>,
}

impl OwnOrigin {
    /// `address` is the public address. `None` means the address that the request was sent to.
    pub(crate) fn new(address: Option<Origin>, allowed: Arc<[Origin]>) -> Self {
        Self { address, allowed }
    }

    /// Checks a request.
    ///
    /// # Errors
    /// [`HttpError::CrossSiteRequest`] if the request comes from a page of another origin.
    pub(crate) fn check(&self, req: &Request) -> Result<(), HttpError> {
        let mut values = req.headers().get_all(ORIGIN).iter();
        let Some(value) = values.next() else { return Ok(()) };
        let origin: Option<Origin> = value.to_str().ok().and_then(|value| value.parse().ok());
        let is_allowed = |origin: &Origin| {
            self.allowed.contains(origin) || own_origin(self.address.as_ref(), req).as_ref() == Some(origin)
        };
        match origin {
            Some(origin) if values.next().is_none() && is_allowed(&origin) => Ok(()),
            _ => Err(HttpError::CrossSiteRequest),
        }
    }
}

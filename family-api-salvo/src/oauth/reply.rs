//! The response to the browser of a user who connects a client.

use salvo::Response;

use crate::html::View;
use crate::oauth::consent::ConsentPage;
use crate::oauth::page_error::PageError;
use crate::oauth::refused_request::RefusedRequest;
use crate::oauth::see_other::SeeOther;

/// A page, or a redirect.
pub(crate) enum Reply {
    Consent(Box<ConsentPage>),
    Refused(Box<RefusedRequest>),
    Redirect(SeeOther),
}

impl Reply {
    /// Renders the reply, or the page of the error.
    pub(crate) fn render(reply: Result<Self, PageError>, view: &View, res: &mut Response) {
        match reply {
            Ok(Self::Consent(page)) => page.render(view, res),
            Ok(Self::Refused(page)) => page.render(view, res),
            Ok(Self::Redirect(redirect)) => res.render(redirect),
            Err(error) => error.render(view, res),
        }
    }
}

//! The consent of a user: the page that asks, and the form that answers.
//!
//! Nothing is stored before the user allows. The form contains the whole request, signed with the server's key, so the
//! values that the user has seen are the values that take effect. The signature also proves that the page was served to
//! this user, which protects against forms of other sites in addition to [`SameSite`](crate::SameSite).

mod access;
mod form;
mod page;
mod request;
mod submit;

pub(crate) use form::{InvalidForm, PATH};
pub(crate) use page::{ConsentPage, Notice, claimed_name};
pub(crate) use request::{ConsentRequest, InvalidSignature};
pub(crate) use submit::Consent;

//! Authentication and authorization: from the `Authorization` header to a [`Caller`] (HTTP reference,
//! "Authentication").

mod authenticate;
mod bearer;
mod caller;
mod decide;
mod refusal;

pub use authenticate::Authenticated;
pub use bearer::Bearer;
pub use caller::{Caller, TokenId};
pub use refusal::{Refusal, Refused};

pub(crate) use authenticate::authenticate;
pub(crate) use decide::{authorize, readmit};

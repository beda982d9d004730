//! Authentication and authorization: from the `Authorization` header to a [`Caller`] (HTTP reference,
//! "Authentication").

mod author;
mod bearer;
mod caller;
mod decide;
mod facts;
mod refusal;

pub use author::{Author, Credential, Denied, FoundCredential, SignedIn};
pub use caller::{Caller, TokenId};
pub use facts::{Account, FoundKey, KeyState, Member, Membership};
pub use refusal::{Refusal, RefusedToken};

pub(crate) use bearer::{Bearer, InvalidBearer};
pub(crate) use caller::{NotInFamily, NotInSession};
pub(crate) use decide::{Authenticated, authorize, check_environment_token, check_key, reauthorize};

//! Decides what a credential allows (HTTP reference, "Authentication"). [`FamilyApi::admit`](crate::FamilyApi::admit)
//! makes a [`Caller`] from the `Authorization` header, and `authorize` decides whether there is one.

mod author;
mod bearer;
mod caller;
mod decide;
mod endpoint;
mod facts;
mod refusal;
mod verified_token;

pub use author::{Author, Credential, Denied, FoundCredential, SignedIn};
pub use caller::{Caller, TokenId};
pub use endpoint::Endpoint;
pub use facts::{Account, FoundAccessToken, FoundKey, KeyState, Member, Membership};
pub use refusal::{Refusal, RefusedToken};
pub use verified_token::VerifiedToken;

pub use crate::resource::write_scope;

pub(crate) use bearer::{Bearer, InvalidBearer, MAX_EXTERNAL_BYTES};
pub(crate) use caller::{NotInFamily, NotInSession, TokenProof};
pub(crate) use decide::{
    Authenticated, authorize, check_access_token, check_environment_token, check_key, check_verified_token,
    reauthorize_grant, reauthorize_key, reauthorize_user,
};

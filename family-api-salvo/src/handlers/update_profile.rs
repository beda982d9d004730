//! Changes the caller's own profile.

use family_api_core::Error;
use family_api_core::change::ProfileChange;
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;

pub(crate) struct UpdateProfile;

#[handler]
impl UpdateProfile {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let profiles = call.api.profile(&call.caller)?;
        let body = call.patch_body(req, depot).await?;
        let change = ProfileChange::from_body(body).map_err(Error::InvalidField)?;
        let profile = profiles.update(&change).await?;
        Ok(Answer::of(&profile)?)
    }
}

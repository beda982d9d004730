//! Reads the caller's own profile.

use salvo::{Depot, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;

pub(crate) struct GetProfile;

#[handler]
impl GetProfile {
    async fn handle(depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let profile = call.api.profile(&call.caller)?.get().await?;
        Ok(Answer::of(&profile)?)
    }
}

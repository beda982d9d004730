//! Revokes an integration key.

use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::{Call, record};

pub(crate) struct RevokeKey;

#[handler]
impl RevokeKey {
    async fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let revoked = call.api.keys(&call.caller)?.revoke(&record(req)).await?;
        Ok(Answer::of(&revoked)?)
    }
}

//! Lists the caller's integration keys.

use salvo::{Depot, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;

pub(crate) struct ListKeys;

#[handler]
impl ListKeys {
    async fn handle(depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let keys = call.api.keys(&call.caller)?.list().await?;
        Ok(Answer::of(&keys)?)
    }
}

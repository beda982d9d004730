//! Creates an integration key.

use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::Call;

pub(crate) struct CreateKey;

#[handler]
impl CreateKey {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let keys = call.api.keys(&call.caller)?;
        let body = call.post_body(req, depot).await?;
        let key = keys.create(keys.draft(body)?).await?;
        // Built from the request path, which includes the prefix that the host mounts the API under.
        let location = format!("/{}/{}", req.uri().path().trim_matches('/'), key.id);
        Ok(Answer::of(&key)?.created(&location)?)
    }
}

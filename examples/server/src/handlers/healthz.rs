//! `GET /healthz`: liveness.

use family_api_salvo::HttpError;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use serde_json::json;

use crate::handlers::json;

/// Returns 200 without a query to the storage.
pub(crate) struct Healthz;

#[async_trait]
impl Handler for Healthz {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        if let Err(error) = json::render(res, &json!({ "status": "ok" })) {
            res.render(HttpError::from(error));
        }
    }
}

//! `GET /readyz`: readiness, which is 200 if the storage answers.

use family_api_core::{Error, FamilyApi};
use family_api_salvo::HttpError;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use serde_json::json;

use crate::handlers::json;

/// Queries the storage in the same way as a request of the API.
pub(crate) struct Readyz {
    pub(crate) api: FamilyApi,
}

impl Readyz {
    async fn answer(&self, res: &mut Response) -> Result<(), Error> {
        self.api.check().await?;
        json::render(res, &json!({ "status": "ok" }))
    }
}

#[async_trait]
impl Handler for Readyz {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        if let Err(error) = self.answer(res).await {
            res.render(HttpError::from(error));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use family_api_sql::sqlite::SqliteStorage;
    use salvo::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn readiness_is_503_if_the_storage_does_not_answer() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        let readyz = Readyz { api: FamilyApi::new(Arc::new(storage.clone())) };
        storage.close().await;
        let mut res = Response::new();
        readyz.handle(&mut Request::new(), &mut Depot::new(), &mut res, &mut FlowCtrl::new(Vec::new())).await;
        assert_eq!(res.status_code, Some(StatusCode::SERVICE_UNAVAILABLE));
        assert_eq!(res.headers()["content-type"], "application/problem+json");
        assert!(res.headers().contains_key("retry-after"));
    }
}

//! Serves the OpenAPI document.

use std::sync::Arc;

use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::{Failure, Origin};

/// The document of what is mounted, left in the depot for its handler.
#[derive(Clone)]
pub(crate) struct OpenApi {
    pub(crate) document: Arc<Value>,
    pub(crate) address: Option<Origin>,
}

impl OpenApi {
    /// The document, with the address that the API has when the document is asked for at this path.
    fn at(&self, path: &str) -> Value {
        let prefix = path.trim_end_matches('/').strip_suffix(paths::OPENAPI).unwrap_or_default();
        let server = match &self.address {
            Some(address) => format!("{address}{prefix}"),
            None if prefix.is_empty() => "/".to_owned(),
            None => prefix.to_owned(),
        };
        let mut document = (*self.document).clone();
        document["servers"] = json!([{ "url": server }]);
        document
    }
}

pub(crate) struct GetOpenApi;

#[handler]
impl GetOpenApi {
    fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let missing = || Error::Internal("the document is mounted without its content".into());
        let openapi = depot.get_typed::<OpenApi>().map_err(|_| missing())?;
        Ok(Answer::of(&openapi.at(req.uri().path()))?)
    }
}

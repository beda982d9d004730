//! Serves the OpenAPI document.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use family_api_core::{Error, paths};
use salvo::{Depot, Request, handler};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::{Failure, Origin};

/// The document of what is mounted, left in the depot for its handler.
#[derive(Clone)]
pub(crate) struct OpenApi {
    document: Arc<Value>,
    address: Option<Origin>,
    /// The prefix of the first request, and its bytes: as a rule there is one prefix, so that all answers share them.
    first: Arc<OnceLock<(String, Bytes)>>,
}

impl OpenApi {
    pub(crate) fn new(document: Value, address: Option<Origin>) -> Self {
        Self { document: Arc::new(document), address, first: Arc::default() }
    }

    /// The document, with the address that the API has when the document is asked for at this path.
    fn at(&self, path: &str) -> Bytes {
        let prefix = path.trim_end_matches('/').strip_suffix(paths::OPENAPI).unwrap_or_default();
        let (first, bytes) = self.first.get_or_init(|| (prefix.to_owned(), self.below(prefix)));
        if first == prefix { bytes.clone() } else { self.below(prefix) }
    }

    fn below(&self, prefix: &str) -> Bytes {
        let server = match &self.address {
            Some(address) => format!("{address}{prefix}"),
            None if prefix.is_empty() => "/".to_owned(),
            None => prefix.to_owned(),
        };
        let mut document = (*self.document).clone();
        document["servers"] = json!([{ "url": server }]);
        document.to_string().into()
    }
}

pub(crate) struct GetOpenApi;

#[handler]
impl GetOpenApi {
    fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let missing = || Error::Internal("the document is mounted without its content".into());
        let openapi = depot.get_typed::<OpenApi>().map_err(|_| missing())?;
        Ok(Answer::from_json(openapi.at(req.uri().path())))
    }
}

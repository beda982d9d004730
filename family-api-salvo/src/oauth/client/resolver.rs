//! Finds the client of an authorization request.

use family_api_core::id::UserId;
use family_api_core::{Error, FamilyApi};

use crate::oauth::RedirectUri;
use crate::oauth::client::document_url::DocumentUrl;
use crate::oauth::client::{DocumentCache, registration};

/// A client, as its registration or its metadata document describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResolvedClient {
    /// The `client_id` of the request.
    pub(crate) id: String,
    /// The name that the client claims. Nothing proves it.
    pub(crate) name: Option<String>,
    /// The host of the metadata document, which proves who wrote it. `None` for a registered client.
    pub(crate) publisher: Option<String>,
    /// The addresses that the client may use.
    pub(crate) redirect_uris: Vec<RedirectUri>,
}

/// The reason why a client cannot be identified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// The id is neither an id of this server nor the URL of a metadata document.
    #[error("the client is unknown")]
    Unknown,
    /// The metadata document cannot be used. The text is the reason.
    #[error("the metadata document of the client cannot be used: {0}")]
    Document(String),
    /// A fault below.
    #[error(transparent)]
    Api(#[from] Error),
}

impl ResolvedClient {
    /// Parses a redirect URI and returns it if the client may use it. Addresses are compared exactly, except for the
    /// port of a loopback address.
    pub(crate) fn allows(&self, redirect_uri: &str) -> Option<RedirectUri> {
        let requested: RedirectUri = redirect_uri.parse().ok()?;
        self.redirect_uris.iter().any(|registered| registered.allows(&requested)).then_some(requested)
    }
}

/// Finds clients by their id: a signed registration, or the URL of a metadata document.
pub(crate) struct ClientResolver {
    api: FamilyApi,
    /// `None` if metadata documents are switched off.
    documents: Option<DocumentCache>,
}

impl ClientResolver {
    pub(crate) fn new(api: FamilyApi, documents: Option<DocumentCache>) -> Self {
        Self { api, documents }
    }

    /// Returns the client with this id. `user` has asked for it.
    ///
    /// # Errors
    /// [`ClientError`] if the id is unknown, its metadata document cannot be used, or the storage fails.
    pub(crate) async fn resolve(&self, client_id: &str, user: &UserId) -> Result<ResolvedClient, ClientError> {
        if let (Some(documents), Ok(url)) = (&self.documents, client_id.parse()) {
            return documents.find(&url, user).await;
        }
        self.registered(client_id).await?.ok_or(ClientError::Unknown)
    }

    /// Returns whether an id can belong to a client: it is a registration of this service, or the URL of a metadata
    /// document, which is not fetched.
    ///
    /// # Errors
    /// The error of the storage.
    pub(crate) async fn knows(&self, client_id: &str) -> Result<bool, Error> {
        Ok(client_id.parse::<DocumentUrl>().is_ok() || self.registered(client_id).await?.is_some())
    }

    async fn registered(&self, client_id: &str) -> Result<Option<ResolvedClient>, Error> {
        let key = self.api.grants().ok_or(Error::NotFound)?.signing_key().await?;
        Ok(registration::find(client_id, &key))
    }
}

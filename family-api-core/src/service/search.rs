//! Searches of documents.

use serde::de::DeserializeOwned;
use tracing::Instrument;

use crate::error::Error;
use crate::resource::{Document, Revision};
use crate::service::blocking::{LONG_DOCUMENT, run_if_long};
use crate::service::document_cache::Representation;
use crate::service::family_loads::FamilyLoad;
use crate::service::large_documents::LargeDocument;
use crate::service::read::{ReadRequest, StorageRead, make_representation};
use crate::service::{FamilyApi, ReadService};
use crate::storage::StorageError;

impl ReadService<'_> {
    /// Parses and searches a document, both of which take a time that grows with its length.
    pub(super) async fn search<D: DeserializeOwned + Send + 'static, T: Send + 'static>(
        &self,
        read: StorageRead,
        search: impl FnOnce(D) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let request = self.request(read)?;
        if let Some((revision, documents)) = self.cache()
            && let Some(Representation { body, .. }) =
                documents.find_shorter(&request.cache_key, revision, LONG_DOCUMENT)
        {
            return search(parse(Document::from_json(body))?);
        }
        self.in_load(move |mut load| async move {
            let document = load.document(&request).await?;
            let length = document.as_bytes().len();
            load.permit(length).await?;
            run_if_long(length, move || search(parse(document)?)).await?
        })
        .await
    }

    /// Runs work that loads and searches documents of the caller's family. It counts as one load until it has ended, so
    /// at most two loads of each family wait with their documents in memory.
    ///
    /// The work is a task of its own, because it goes on if the request is cancelled.
    pub(super) async fn in_load<T, Work>(
        &self,
        work: impl FnOnce(DocumentLoad) -> Work + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, Error>> + Send + 'static,
    {
        self.in_load_at(self.caller.revision(), work).await
    }

    /// Runs work as [`in_load`](Self::in_load) that loads every document from the storage. The documents in the cache do
    /// not have what this request has written.
    pub(super) async fn in_load_after_write<T, Work>(
        &self,
        work: impl FnOnce(DocumentLoad) -> Work + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, Error>> + Send + 'static,
    {
        self.in_load_at(None, work).await
    }

    async fn in_load_at<T, Work>(
        &self,
        revision: Option<Revision>,
        work: impl FnOnce(DocumentLoad) -> Work + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let present = self.api.loads.enter(&self.caller.member()?.family)?;
        let api = self.api.clone();
        let run = async move {
            let load = present.begin().await?;
            work(DocumentLoad { api, revision, _load: load, large: None }).await
        };
        tokio::spawn(run.in_current_span()).await.map_err(StorageError::backend)?
    }
}

/// A load of a family in which documents are loaded and searched.
pub(super) struct DocumentLoad {
    api: FamilyApi,
    /// The revision at which documents in the cache are valid. Without one, the cache is not used.
    revision: Option<Revision>,
    _load: FamilyLoad,
    /// Present from the first large documents on, because their records stay in memory.
    large: Option<LargeDocument>,
}

impl DocumentLoad {
    /// Returns a document, from the cache or with one storage call. It is parsed only after [`permit`](Self::permit).
    async fn document<D>(&self, request: &ReadRequest) -> Result<Document<D>, Error> {
        let make = make_representation(&*self.api.storage, &self.api.large_documents, request);
        let Representation { body, .. } = match self.revision.zip(self.api.documents.as_ref()) {
            Some((revision, documents)) => documents.make_in_load(&request.cache_key, revision, make).await?,
            None => make.await?,
        };
        Ok(Document::from_json(body))
    }

    /// Does the same, or returns a document without records if there is no request.
    pub(super) async fn list<D>(&self, request: Option<ReadRequest>) -> Result<Document<Vec<D>>, Error> {
        match request {
            Some(request) => self.document(&request).await,
            None => Ok(Document::from_json("[]")),
        }
    }

    /// Waits until documents with this total length can be parsed, if they are large. From then on until the load has
    /// ended, the large documents of all families wait, so load all documents before.
    pub(super) async fn permit(&mut self, length: usize) -> Result<(), Error> {
        if self.large.is_none() {
            self.large = self.api.large_documents.begin(length).await?;
        }
        Ok(())
    }

    /// Returns the records of a document, or none without a request.
    pub(super) async fn records<D: DeserializeOwned + Send + 'static>(
        &mut self,
        request: Option<ReadRequest>,
    ) -> Result<Vec<D>, Error> {
        let Some(request) = request else { return Ok(Vec::new()) };
        let document = self.document(&request).await?;
        let length = document.as_bytes().len();
        self.permit(length).await?;
        run_if_long(length, move || parse(document)).await?
    }
}

/// Parses a document. Its JSON does not stay in memory while the records are searched.
pub(super) fn parse<D: DeserializeOwned>(document: Document<D>) -> Result<D, Error> {
    let records = document.parse().map_err(StorageError::from);
    drop(document);
    Ok(records?)
}

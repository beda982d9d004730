//! Reads the five resources.

use std::fmt;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;

use crate::Timestamp;
use crate::access::Caller;
use crate::calendar::{EventRange, StatsPeriods};
use crate::content_coding::ContentCoding;
use crate::entity_tag::{EntityTag, EntityTags};
use crate::error::Error;
use crate::resource::{Document, ReadQuery, ResourceKind, Revision, TaskFilter};
use crate::service::FamilyApi;
use crate::service::document_cache::Representation;
use crate::storage::{Member, StorageError};

/// The permission to read the family's resources.
#[derive(Debug, Clone, Copy)]
pub struct ReadService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

/// The result of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The caller already has the current version, which has this tag.
    Unchanged(EntityTag),
    /// The JSON of the resource (HTTP reference, "Reads").
    Document {
        /// The entity tag of the body. Different bodies have different tags.
        tag: EntityTag,
        /// The JSON, in the requested content coding.
        body: Bytes,
    },
}

impl ReadService<'_> {
    /// Reads a resource. `client_tags` contains the tags of the versions that the client already has. If the current
    /// version has one of these tags, the result is [`ReadOutcome::Unchanged`].
    ///
    /// If the storage has revisions, authentication has already read the current revision. The read then needs no
    /// storage call if the resource is unchanged or in the [cache](crate::FamilyApiBuilder::document_cache). A coding
    /// other than [`ContentCoding::Identity`] needs a tokio runtime.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user of a session has no family, or the error of the storage.
    pub async fn get(
        &self,
        query: &ReadQuery,
        coding: ContentCoding,
        client_tags: Option<&EntityTags>,
    ) -> Result<ReadOutcome, Error> {
        let request = ReadRequest::new(self.caller.member()?, self.kind(query), coding);
        let is_known = |tag: &EntityTag| client_tags.is_some_and(|tags| tags.matches_weak(tag));
        let tag = self.caller.revision().map(|revision| request.tag(revision));
        if let Some(tag) = tag.clone().filter(is_known) {
            return Ok(ReadOutcome::Unchanged(tag));
        }
        let Representation { tag, body } = self.representation(&request, tag).await?;
        Ok(if is_known(&tag) { ReadOutcome::Unchanged(tag) } else { ReadOutcome::Document { tag, body } })
    }

    /// Returns the records of a document, from the cache or with one storage call.
    pub(super) async fn records<T: DeserializeOwned>(&self, kind: ReadKind) -> Result<T, Error> {
        let request = ReadRequest::new(self.caller.member()?, kind, ContentCoding::Identity);
        let tag = self.caller.revision().map(|revision| request.tag(revision));
        let Representation { body, .. } = self.representation(&request, tag).await?;
        Ok(serde_json::from_slice(&body).map_err(StorageError::corrupt)?)
    }

    /// Returns a document from the cache if it has the tag, or else from the storage.
    async fn representation(
        &self,
        request: &ReadRequest,
        tag: Option<EntityTag>,
    ) -> Result<Representation, StorageError> {
        let make = self.make_representation(request);
        match (tag, &self.api.documents) {
            (Some(tag), Some(documents)) => documents.get(&request.cache_key, tag, make).await,
            _ => make.await,
        }
    }

    async fn make_representation(&self, request: &ReadRequest) -> Result<Representation, StorageError> {
        let (revision, json) = self.query(&request.kind, &request.member).await?;
        let tag = match revision {
            Some(revision) => request.tag(revision),
            None => request.tag_of(&json),
        };
        Ok(Representation { tag, body: encode(request.coding, json).await? })
    }

    /// Converts the days of a query to instants in the caller's time zone.
    fn kind(&self, query: &ReadQuery) -> ReadKind {
        let zone = &self.caller.account().zone;
        match query {
            ReadQuery::Tasks(filter) => ReadKind::Tasks(*filter),
            ReadQuery::Events { from, to } => ReadKind::Events(EventRange::of_days(*from, *to, zone)),
            ReadQuery::Shopping => ReadKind::Shopping,
            ReadQuery::Notes => ReadKind::Notes,
            ReadQuery::TaskStats => ReadKind::TaskStats(StatsPeriods::at(self.api.clock.now(), zone)),
        }
    }

    async fn query(&self, kind: &ReadKind, member: &Member) -> Result<(Option<Revision>, Bytes), StorageError> {
        let storage = &self.api.storage;
        Ok(match kind {
            ReadKind::Tasks(filter) => into_parts(storage.list_tasks(member, *filter).await?),
            ReadKind::Events(range) => into_parts(storage.list_events(member, range).await?),
            ReadKind::Shopping => into_parts(storage.list_shopping(member).await?),
            ReadKind::Notes => into_parts(storage.list_notes(member).await?),
            ReadKind::TaskStats(periods) => into_parts(storage.find_task_stats(member, periods).await?),
        })
    }
}

fn into_parts<T>(document: Document<T>) -> (Option<Revision>, Bytes) {
    (document.revision(), document.into_bytes())
}

/// Compresses on a blocking thread, because a large document takes milliseconds and would delay other requests.
async fn encode(coding: ContentCoding, json: Bytes) -> Result<Bytes, StorageError> {
    if coding == ContentCoding::Identity {
        return Ok(json);
    }
    let coded = spawn_blocking(move || coding.encode(&json)).await.map_err(StorageError::backend)?;
    Ok(coded.map_err(StorageError::backend)?.into())
}

/// A read of a resource by a member, in a content coding.
struct ReadRequest {
    member: Member,
    kind: ReadKind,
    coding: ContentCoding,
    /// The other fields, separated by spaces. Different requests have different keys, because no id contains a space.
    cache_key: String,
}

impl ReadRequest {
    fn new(member: Member, kind: ReadKind, coding: ContentCoding) -> Self {
        let Member { user, family } = &member;
        let cache_key = format!("{user} {family} {kind} {}", coding.as_str().unwrap_or("identity"));
        Self { member, kind, coding, cache_key }
    }

    /// Returns the tag of the response at a revision. The tag depends on the version of this crate, because another
    /// version may return a different response.
    fn tag(&self, revision: Revision) -> EntityTag {
        let (program, revision) = (env!("CARGO_PKG_VERSION"), revision.get());
        EntityTag::of(format!("{program} {revision} {}", self.cache_key).as_bytes())
    }

    /// Returns the tag of a response without a revision, computed from its JSON.
    fn tag_of(&self, json: &[u8]) -> EntityTag {
        EntityTag::of(&[format!("{} ", self.cache_key).as_bytes(), json].concat())
    }
}

/// The query that is sent to the storage. The response depends only on this query and on the family's data.
pub(super) enum ReadKind {
    Tasks(TaskFilter),
    Events(EventRange),
    Shopping,
    Notes,
    TaskStats(StatsPeriods),
}

impl fmt::Display for ReadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tasks(filter) => write!(f, "{} {}", ResourceKind::Tasks.as_str(), filter.as_str().unwrap_or("open")),
            Self::Events(EventRange { from, to }) => {
                write!(f, "{} {} {}", ResourceKind::Events.as_str(), format_end(*from), format_end(*to))
            }
            Self::Shopping => f.write_str(ResourceKind::Shopping.as_str()),
            Self::Notes => f.write_str(ResourceKind::Notes.as_str()),
            Self::TaskStats(StatsPeriods { today, week }) => {
                let kind = ResourceKind::TaskStats.as_str();
                write!(f, "{kind} {} {} {} {}", today.start, today.end, week.start, week.end)
            }
        }
    }
}

/// Formats the first or last instant of a range, or `-` if the range is not limited.
fn format_end(instant: Option<Timestamp>) -> String {
    instant.map_or_else(|| "-".to_owned(), String::from)
}

//! Reads of the five resources.

use std::fmt;

use bytes::Bytes;
use tokio::task::spawn_blocking;

use crate::Timestamp;
use crate::access::Caller;
use crate::calendar::{EventRange, StatsPeriods};
use crate::content_coding::ContentCoding;
use crate::entity_tag::{EntityTag, EntityTags};
use crate::error::Error;
use crate::resource::{Document, ReadQuery, ResourceKind, Revision, TaskFilter};
use crate::service::FamilyApi;
use crate::service::documents::Representation;
use crate::storage::{Member, StorageError};

/// The permission to read the family's resources.
#[derive(Debug, Clone, Copy)]
pub struct ReadService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

/// What a read answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The caller has it already, by this tag.
    Unchanged(EntityTag),
    /// The JSON of the resource (HTTP reference, "Reads").
    Document {
        /// Names these bytes: another one wherever they are others.
        tag: EntityTag,
        /// The bytes, in the coding that was request for.
        body: Bytes,
    },
}

impl ReadService<'_> {
    /// Reads a resource, unless the caller has it already: `known` are the tags of what they have.
    ///
    /// Where the storage keeps a revision, it came with the caller: what is unchanged costs no call of the storage, and
    /// neither does a document that was made at this revision before, as long as it is
    /// [kept](crate::FamilyApiBuilder::document_cache). In a coding other than [`ContentCoding::Identity`] it needs a
    /// tokio runtime.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a session's user without a family, or the storage's fault.
    pub async fn get(
        &self,
        query: &ReadQuery,
        coding: ContentCoding,
        known: Option<&EntityTags>,
    ) -> Result<ReadOutcome, Error> {
        let request = ReadRequest::new(self.caller.member()?, self.kind(query), coding);
        let is_known = |tag: &EntityTag| known.is_some_and(|known| known.matches_weak(tag));
        let tag = self.caller.revision().map(|revision| request.tag(revision));
        let Representation { tag, body } = match (tag, &self.api.documents) {
            (Some(tag), _) if is_known(&tag) => return Ok(ReadOutcome::Unchanged(tag)),
            (Some(tag), Some(documents)) => documents.get(&request.text, tag, self.make(&request)).await?,
            _ => self.make(&request).await?,
        };
        Ok(if is_known(&tag) { ReadOutcome::Unchanged(tag) } else { ReadOutcome::Document { tag, body } })
    }

    async fn make(&self, request: &ReadRequest) -> Result<Representation, StorageError> {
        let (revision, json) = self.query(&request.kind, &request.member).await?;
        let tag = match revision {
            Some(revision) => request.tag(revision),
            None => request.tag_of(&json),
        };
        Ok(Representation { tag, body: encode(request.coding, json).await? })
    }

    /// Days become instants where the caller is.
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
            ReadKind::Tasks(filter) => parts(storage.list_tasks(member, *filter).await?),
            ReadKind::Events(range) => parts(storage.list_events(member, range).await?),
            ReadKind::Shopping => parts(storage.list_shopping(member).await?),
            ReadKind::Notes => parts(storage.list_notes(member).await?),
            ReadKind::TaskStats(periods) => parts(storage.find_task_stats(member, periods).await?),
        })
    }
}

fn parts<T>(document: Document<T>) -> (Option<Revision>, Bytes) {
    (document.revision(), document.into_bytes())
}

/// Codes away from the threads that answer requests: for a large document it takes milliseconds.
async fn encode(coding: ContentCoding, json: Bytes) -> Result<Bytes, StorageError> {
    if coding == ContentCoding::Identity {
        return Ok(json);
    }
    let coded = spawn_blocking(move || coding.encode(&json)).await.map_err(StorageError::backend)?;
    Ok(coded.map_err(StorageError::backend)?.into())
}

/// Who asks for what, and in which coding.
struct ReadRequest {
    member: Member,
    kind: ReadKind,
    coding: ContentCoding,
    /// All of that; no id has a space.
    text: String,
}

impl ReadRequest {
    fn new(member: Member, kind: ReadKind, coding: ContentCoding) -> Self {
        let Member { user, family } = &member;
        let text = format!("{user} {family} {kind} {}", coding.as_str().unwrap_or("identity"));
        Self { member, kind, coding, text }
    }

    /// The tag of the answer that this version of the program gives at the revision.
    fn tag(&self, revision: Revision) -> EntityTag {
        let (program, revision) = (env!("CARGO_PKG_VERSION"), revision.get());
        EntityTag::of(format!("{program} {revision} {}", self.text).as_bytes())
    }

    /// The tag of the answer where nothing tells the revision.
    fn tag_of(&self, json: &[u8]) -> EntityTag {
        EntityTag::of(&[format!("{} ", self.text).as_bytes(), json].concat())
    }
}

/// What the storage is request, which the answer depends on beside the family's data.
enum ReadKind {
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
                write!(f, "{} {} {}", ResourceKind::Events.as_str(), end(*from), end(*to))
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

/// An end of a range, which may be open.
fn end(instant: Option<Timestamp>) -> String {
    instant.map_or_else(|| "-".to_owned(), String::from)
}

//! Reads the five resources.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use tracing::{Instrument, instrument};

use crate::Timestamp;
use crate::access::{Caller, Member};
use crate::calendar::{EventRange, StatsPeriods, Zone};
use crate::content_coding::ContentCoding;
use crate::entity_tag::{EntityTag, EntityTags};
use crate::error::Error;
use crate::occurrences::DayRange;
use crate::query::{EventQuery, events};
use crate::resource::{Document, Event, InvalidQuery, Person, ReadQuery, ResourceKind, Revision, TaskFilter};
use crate::service::FamilyApi;
use crate::service::blocking::run_blocking;
use crate::service::document_cache::{DocumentCache, NotMade, Representation};
use crate::service::large_documents::LargeDocuments;
use crate::service::occurrence_document::OccurrenceDocument;
use crate::service::read_feed::FeedRead;
use crate::service::select_occurrences::select_occurrences;
use crate::service::storage_call::StorageCall;
use crate::storage::{Storage, StorageError};

/// A handle to read the family's resources.
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
        /// Whether occurrences may be missing in the result of [`ReadQuery::Occurrences`]: there are too many, the body
        /// would be too large, or the expansion would take too much work.
        is_truncated: bool,
    },
}

impl ReadService<'_> {
    /// Reads a resource. `client_tags` contains the tags of the versions that the client already has. If the current
    /// version has one of these tags, the result is [`ReadOutcome::Unchanged`].
    ///
    /// If the storage has revisions, authentication has already read the current revision. The read then needs no
    /// storage call if the resource is unchanged or in the [cache](crate::FamilyApiBuilder::document_cache). Otherwise,
    /// and if it is compressed in the cache, it needs a tokio runtime. At most two loads of a family run at a time. The
    /// others wait, up to a second.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the days of [`ReadQuery::Occurrences`] are not in order, or more than 366.
    /// - [`Error::NotFound`] if the storage does not keep the resource, or the user of a session has no family.
    /// - [`Error::RateLimited`] if the family has too many loads.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "read", skip_all, fields(user = %self.caller.user()))]
    pub async fn get(
        &self,
        query: &ReadQuery,
        coding: ContentCoding,
        client_tags: Option<&EntityTags>,
    ) -> Result<ReadOutcome, Error> {
        let request = self.request_in(self.storage_read(query)?, coding)?;
        let is_known = |tag: &EntityTag| client_tags.is_some_and(|tags| tags.matches_weak(tag));
        // A document has its tag with it, so the tag is computed here only if the document may not be needed.
        if let (Some(revision), Some(_)) = (self.caller.revision(), client_tags) {
            let tag = request.tag(revision);
            if is_known(&tag) {
                return Ok(ReadOutcome::Unchanged(tag));
            }
        }
        let Representation { tag, body, is_truncated, .. } = self.representation(request).await?;
        if is_known(&tag) {
            return Ok(ReadOutcome::Unchanged(tag));
        }
        Ok(ReadOutcome::Document { tag, body, is_truncated })
    }

    /// Returns a document, from the cache or with one storage call. Only for short documents: the caller has no load of
    /// the family while it parses them.
    pub(super) async fn document<T>(&self, read: StorageRead) -> Result<Document<T>, Error> {
        let Representation { body, .. } = self.representation(self.request(read)?).await?;
        Ok(Document::from_json(body))
    }

    /// Returns the request for the JSON of a document if the storage keeps the resource.
    pub(super) fn request(&self, read: StorageRead) -> Result<ReadRequest, Error> {
        self.request_in(read, ContentCoding::Identity)
    }

    fn request_in(&self, read: StorageRead, coding: ContentCoding) -> Result<ReadRequest, Error> {
        let is_kept = read.resource().is_none_or(|resource| self.api.capabilities.keeps_resource(resource));
        if is_kept { Ok(ReadRequest::new(self.caller.member()?, read, coding)) } else { Err(Error::NotFound) }
    }

    /// Returns the cache and the caller's revision, at which its documents are valid.
    pub(super) fn cache(&self) -> Option<(Revision, &DocumentCache)> {
        self.caller.revision().zip(self.api.documents.as_ref())
    }

    /// Returns a document from the cache if it has the caller's revision, or else from the storage.
    async fn representation(&self, request: ReadRequest) -> Result<Representation, Error> {
        self.api.representation(self.caller.revision(), request).await
    }
}

impl FamilyApi {
    /// Returns a document from the cache if it has the revision, or else from the storage.
    pub(super) async fn representation(
        &self,
        revision: Option<Revision>,
        request: ReadRequest,
    ) -> Result<Representation, Error> {
        let cache = revision.zip(self.documents.as_ref());
        if let Some(cached) = cache.and_then(|(revision, documents)| documents.find(&request.cache_key, revision)) {
            return Ok(cached);
        }
        let cache = cache.map(|(revision, documents)| (revision, documents.clone()));
        let present = self.loads.enter(&request.member.family)?;
        let (storage, large) = (Arc::clone(&self.storage), self.large_documents.clone());
        let work = async move {
            let (begin, make) = (present.begin(), make_representation(&*storage, &large, &request));
            let Some((revision, documents)) = cache else {
                let _load = begin.await?;
                return make.await;
            };
            documents.make(&request.cache_key, revision, begin, make).await
        };
        // A task of its own, because the storage goes on if the request is cancelled, and the load counts until it ends.
        let made = tokio::spawn(work.in_current_span()).await.map_err(StorageError::backend)?;
        Ok(made?)
    }
}

impl ReadService<'_> {
    /// Converts the days of a query to instants in the caller's time zone.
    fn storage_read(&self, query: &ReadQuery) -> Result<StorageRead, InvalidQuery> {
        let zone = &self.caller.account().zone;
        Ok(match query {
            ReadQuery::Tasks(filter) => StorageRead::Tasks(*filter),
            ReadQuery::Events { from, to } => StorageRead::Events(EventRange::of_days(*from, *to, zone)),
            ReadQuery::Occurrences { from, to } => {
                StorageRead::Occurrences(events::day_range(*from, *to)?, zone.clone())
            }
            ReadQuery::Shopping => StorageRead::Shopping,
            ReadQuery::Notes => StorageRead::Notes,
            ReadQuery::TaskStats => StorageRead::TaskStats(StatsPeriods::at(self.api.clock.now(), zone)),
        })
    }
}

/// Loads a document.
pub(super) async fn make_representation(
    storage: &dyn Storage,
    large: &LargeDocuments,
    request: &ReadRequest,
) -> Result<Representation, NotMade> {
    let Loaded { revision, json, tag, is_truncated } = load(storage, large, &request.read, &request.member).await?;
    let tag = match (tag, revision) {
        (Some(tag), _) => tag,
        (None, Some(revision)) => request.tag(revision),
        (None, None) => request.tag_of(&json),
    };
    let coding = request.coding;
    Ok(Representation { revision, tag, coding, body: encode(large, coding, json).await?, is_truncated })
}

async fn load(
    storage: &dyn Storage,
    large: &LargeDocuments,
    read: &StorageRead,
    member: &Member,
) -> Result<Loaded, NotMade> {
    Ok(match read {
        StorageRead::Tasks(filter) => loaded(storage.list_tasks(member, *filter).traced("list_tasks").await?),
        StorageRead::Events(range) => loaded(storage.list_events(member, range).traced("list_events").await?),
        StorageRead::OverlappingEvents(range) => {
            loaded(storage.list_overlapping_events(member, range).traced("list_overlapping_events").await?)
        }
        StorageRead::Occurrences(days, zone) => {
            let range = events::overlapping_instants(*days, zone);
            let events = storage.list_overlapping_events(member, &range).traced("list_overlapping_events").await?;
            let mut revision = events.revision();
            let (days, zone) = (*days, zone.clone());
            let _permit = large.begin(events.as_bytes().len()).await?;
            let records = run_blocking(move || events.parse()).await?.map_err(StorageError::from)?;
            let members = if events::name_assignee(&records) {
                let members = storage.list_members(member).traced("list_members").await?;
                // If the data changes between the two calls, the document belongs to neither revision.
                revision = revision.filter(|revision| members.revision() == Some(*revision));
                members.parse().map_err(StorageError::from)?
            } else {
                Vec::new()
            };
            let loaded = run_blocking(move || expand_events(&records, &members, days, &zone)).await??;
            Loaded { revision, ..loaded }
        }
        StorageRead::Shopping => loaded(storage.list_shopping(member).traced("list_shopping").await?),
        StorageRead::Notes => loaded(storage.list_notes(member).traced("list_notes").await?),
        StorageRead::TaskStats(periods) => {
            loaded(storage.find_task_stats(member, periods).traced("find_task_stats").await?)
        }
        StorageRead::Feed(feed) => feed.load(storage, large, member).await?,
        StorageRead::Members => loaded(storage.list_members(member).traced("list_members").await?),
    })
}

/// A document from the storage.
pub(super) struct Loaded {
    pub(super) revision: Option<Revision>,
    pub(super) json: Bytes,
    /// A tag that was computed from the bytes.
    pub(super) tag: Option<EntityTag>,
    pub(super) is_truncated: bool,
}

fn loaded<T>(document: Document<T>) -> Loaded {
    Loaded { revision: document.revision(), json: document.into_bytes(), tag: None, is_truncated: false }
}

/// Returns the document of the occurrences of events, without a revision.
fn expand_events(events: &[Event], members: &[Person], days: DayRange, zone: &Zone) -> Result<Loaded, StorageError> {
    let found = select_occurrences(&EventQuery::default(), events, days, zone);
    let OccurrenceDocument { document, is_truncated } = OccurrenceDocument::new(&found, members)?;
    Ok(Loaded { is_truncated, ..loaded(document) })
}

async fn encode(large: &LargeDocuments, coding: ContentCoding, json: Bytes) -> Result<Bytes, NotMade> {
    if coding == ContentCoding::Identity {
        return Ok(json);
    }
    let _permit = large.begin(json.len()).await?;
    let coded = run_blocking(move || coding.encode(&json)).await?;
    Ok(coded.map_err(StorageError::backend)?.into())
}

/// A read of a resource by a member, in a content coding.
pub(super) struct ReadRequest {
    member: Member,
    read: StorageRead,
    coding: ContentCoding,
    /// The other fields, separated by spaces. Different requests have different keys, because no id contains a space.
    pub(super) cache_key: String,
}

impl ReadRequest {
    pub(super) fn new(member: Member, read: StorageRead, coding: ContentCoding) -> Self {
        let (user, family) = (member.user.as_str(), member.family.as_str());
        let cache_key = [user, family, &read.to_string(), coding.as_str().unwrap_or("identity")].join(" ");
        Self { member, read, coding, cache_key }
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

/// A read that is sent to the storage. The response depends only on this query and on the family's data.
pub(super) enum StorageRead {
    Tasks(TaskFilter),
    Events(EventRange),
    OverlappingEvents(Range<Timestamp>),
    /// The occurrences in a range of days of the reader's zone.
    Occurrences(DayRange, Zone),
    Shopping,
    Notes,
    TaskStats(StatsPeriods),
    Members,
    /// A calendar feed. It contains only kinds that the storage keeps.
    Feed(Box<FeedRead>),
}

impl StorageRead {
    /// Returns the resource that contains the records. Members belong to no resource.
    fn resource(&self) -> Option<ResourceKind> {
        match self {
            Self::Tasks(_) => Some(ResourceKind::Tasks),
            Self::Events(_) | Self::OverlappingEvents(_) | Self::Occurrences(..) => Some(ResourceKind::Events),
            Self::Shopping => Some(ResourceKind::Shopping),
            Self::Notes => Some(ResourceKind::Notes),
            Self::TaskStats(_) => Some(ResourceKind::TaskStats),
            Self::Members | Self::Feed(_) => None,
        }
    }
}

impl fmt::Display for StorageRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tasks(filter) => write!(f, "{} {}", ResourceKind::Tasks.as_str(), filter.as_str().unwrap_or("open")),
            Self::Events(EventRange { from, to }) => {
                write!(f, "{} {} {}", ResourceKind::Events.as_str(), format_end(*from), format_end(*to))
            }
            Self::OverlappingEvents(range) => write!(f, "overlapping_events {} {}", range.start, range.end),
            Self::Occurrences(days, zone) => {
                write!(f, "occurrences {} {} {}", days.first(), days.last(), zone.as_str())
            }
            Self::Shopping => f.write_str(ResourceKind::Shopping.as_str()),
            Self::Notes => f.write_str(ResourceKind::Notes.as_str()),
            Self::TaskStats(StatsPeriods { today, week }) => {
                let kind = ResourceKind::TaskStats.as_str();
                write!(f, "{kind} {} {} {} {}", today.start, today.end, week.start, week.end)
            }
            Self::Members => f.write_str("members"),
            Self::Feed(feed) => feed.fmt(f),
        }
    }
}

/// Formats the first or last instant of a range, or `-` if the range is not limited.
fn format_end(instant: Option<Timestamp>) -> String {
    instant.map_or_else(|| "-".to_owned(), String::from)
}

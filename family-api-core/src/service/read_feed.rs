//! Reads a calendar feed by its secret.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use tracing::{Instrument, instrument};

use crate::Timestamp;
use crate::access::{Account, Caller, Member, Membership, TokenId};
use crate::audit::AuditEvent;
use crate::calendar::Zone;
use crate::content_coding::ContentCoding;
use crate::entity_tag::{EntityTag, EntityTags};
use crate::error::Error;
use crate::feed::{self, CalendarFeed, FeedSettings, FeedView, WrittenFeed};
use crate::key::{KeyDigest, KeySecret};
use crate::resource::{Board, Document, Event, ResourceKind, Revision, Task, TaskFilter};
use crate::service::blocking::run_blocking;
use crate::service::document_cache::{NotMade, Representation};
use crate::service::feeds::Feeds;
use crate::service::large_documents::LargeDocuments;
use crate::service::read::{Loaded, ReadOutcome, ReadRequest, StorageRead};
use crate::service::storage_call::StorageCall;
use crate::service::{FamilyApi, FeedService};
use crate::storage::{FeedStorage, FoundFeed, Storage, StorageError};
use crate::token::FEED;
use crate::validation::Field;

/// How far back a feed begins. It then begins at the first day of the month, so that the same data gives the same bytes
/// for a month.
const DAYS_BACK: i64 = 90;

impl FamilyApi {
    /// Returns a handle for the caller's calendar feeds, or `None` without a
    /// [`FeedStorage`](crate::storage::FeedStorage). Only a caller in a session can use it.
    #[must_use]
    pub fn feeds<'a>(&'a self, caller: &'a Caller) -> Option<FeedService<'a>> {
        self.feeds.as_ref().map(|feeds| FeedService { api: self, feeds, caller })
    }

    /// Returns whether the API has calendar feeds.
    #[must_use]
    pub fn has_feeds(&self) -> bool {
        self.feeds.is_some()
    }

    /// Returns whether a text can be the secret of a feed. Checks its prefix and its checksum, and does not call the
    /// storage. [`admit_feed`](Self::admit_feed) refuses every other text, also without the storage.
    #[must_use]
    pub fn is_plausible_feed(&self, secret: &str) -> bool {
        self.feeds.is_some() && KeySecret::from(secret.to_owned()).payload(FEED).is_some()
    }

    /// Admits a calendar program that presents the secret of a feed. Counts the request against the rate limit of the
    /// feed, and records its use.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the secret is malformed or unknown, if the feed has ended, or if its user does not exist,
    ///   has no family, or has switched the personal API off.
    /// - [`Error::RateLimited`] if the feed is read too often.
    /// - The error of the storage.
    #[instrument(level = "debug", skip_all)]
    pub async fn admit_feed(&self, secret: &str) -> Result<FeedReader<'_>, Error> {
        let Some(feeds) = self.feeds.as_ref().filter(|_| self.is_plausible_feed(secret)) else {
            return Err(Error::NotFound);
        };
        let digest = KeyDigest::of(secret);
        let found = feeds.storage.find_feed(&digest).traced("find_feed").await?.ok_or(Error::NotFound)?;
        let (found, account) = self.current_feed(found).await?;
        let Some(Membership { family, revision }) = account.membership else {
            return Err(Error::NotFound);
        };
        if let Some(limiter) = &self.request_limiter {
            limiter.check(&TokenId::Feed(found.feed.id.clone()), self.clock.monotonic()).into_result()?;
        }
        let now = self.clock.now();
        self.record_feed_use(feeds, &found, digest, now);
        let member = Member { user: found.user.clone(), family };
        let read = FeedRead::new(found, account.zone, digest, Arc::clone(&feeds.storage), now);
        let read = StorageRead::Feed(Box::new(read));
        Ok(FeedReader { api: self, revision, request: ReadRequest::new(member, read, ContentCoding::Identity) })
    }

    /// Returns the feed and its user's account if the feed may be read.
    ///
    /// The clock is read after the lookup, which can take seconds: a feed that has ended meanwhile is refused.
    async fn current_feed(&self, mut found: FoundFeed) -> Result<(FoundFeed, Account), Error> {
        let account = match found.account.take() {
            Some(account) => account,
            None => self.find_named_account("calendar feed", &found.user).await?.ok_or(Error::NotFound)?,
        };
        let may_be_read =
            found.feed.is_current(self.clock.now()) && account.personal_api_enabled && account.membership.is_some();
        if may_be_read { Ok((found, account)) } else { Err(Error::NotFound) }
    }

    fn record_feed_use(&self, feeds: &Feeds, found: &FoundFeed, digest: KeyDigest, now: Timestamp) {
        if feeds.pending_uses.record(digest, found.feed.last_used_at, now) {
            let (user, feed) = (found.user.clone(), found.feed.id.clone());
            self.record(AuditEvent::FeedFirstUsed { user, feed });
        }
        self.schedule_background(now);
    }
}

/// A calendar program that may read one feed once.
pub struct FeedReader<'a> {
    api: &'a FamilyApi,
    revision: Option<Revision>,
    request: ReadRequest,
}

impl FeedReader<'_> {
    /// Reads the feed: the bytes of an iCalendar object (RFC 5545). Its tag is computed from the bytes. `client_tags`
    /// contains the tags of the versions that the program already has.
    ///
    /// Needs one storage call, or two if the feed shows events and tasks, and none if the feed is in the cache.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if the family has too many loads, or the error of the storage.
    #[instrument(level = "debug", name = "read_feed", skip_all)]
    pub async fn get(self, client_tags: Option<&EntityTags>) -> Result<ReadOutcome, Error> {
        let Representation { tag, body, is_truncated, .. } =
            self.api.representation(self.revision, self.request).await?;
        if client_tags.is_some_and(|tags| tags.matches_weak(&tag)) {
            return Ok(ReadOutcome::Unchanged(tag));
        }
        Ok(ReadOutcome::Document { tag, body, is_truncated })
    }
}

impl fmt::Debug for FeedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FeedReader").finish_non_exhaustive()
    }
}

/// The read of a feed.
pub(super) struct FeedRead {
    found: FoundFeed,
    zone: Zone,
    since: Timestamp,
    digest: KeyDigest,
    feeds: Arc<dyn FeedStorage>,
}

impl FeedRead {
    fn new(found: FoundFeed, zone: Zone, digest: KeyDigest, feeds: Arc<dyn FeedStorage>, now: Timestamp) -> Self {
        let day = zone.day_of(now.saturating_add(jiff::SignedDuration::from_hours(-24 * DAYS_BACK)));
        let since = zone.start_of_day(day.first_of_month());
        Self { found, zone, since, digest, feeds }
    }

    /// Loads the events and tasks, and writes them. Events and tasks of different revisions have no revision.
    pub(super) async fn load(
        &self,
        storage: &dyn Storage,
        large: &LargeDocuments,
        member: &Member,
    ) -> Result<Loaded, NotMade> {
        let capabilities = storage.capabilities();
        let shows = self.found.feed.settings.shows;
        let events: Option<Document<Vec<Event>>> =
            if shows.has_events() && capabilities.keeps_resource(ResourceKind::Events) {
                let range = self.since..Timestamp::MAX;
                Some(storage.list_overlapping_events(member, &range).traced("list_overlapping_events").await?)
            } else {
                None
            };
        let boards: Option<Document<Vec<Board>>> =
            if shows.has_tasks() && capabilities.keeps_resource(ResourceKind::Tasks) {
                Some(storage.list_tasks(member, TaskFilter::Open).traced("list_tasks").await?)
            } else {
                None
            };
        let lengths = [
            events.as_ref().map(|events| events.as_bytes().len()),
            boards.as_ref().map(|boards| boards.as_bytes().len()),
        ];
        let permit = large.begin(lengths.into_iter().flatten().sum()).await?;
        let revisions = [events.as_ref().map(Document::revision), boards.as_ref().map(Document::revision)];
        let (found, zone, since) = (self.found.clone(), self.zone.clone(), self.since);
        let written = run_blocking(move || {
            let _permit = permit;
            write(&found, &zone, since, events, boards)
        });
        let (ics, tag, left_out) = written.await??;
        if left_out != self.found.feed.left_out {
            self.record_left_out(left_out);
        }
        // If the data changes between the two calls, the feed belongs to neither revision.
        let revision = match revisions {
            [Some(one), Some(other)] => one.filter(|revision| other == Some(*revision)),
            [one, other] => one.or(other).flatten(),
        };
        Ok(Loaded { revision, json: ics, tag: Some(tag), is_truncated: left_out > 0 })
    }

    /// Records the number in the background: the read does not wait for a writer, nor fail. It is only for the list of
    /// feeds.
    fn record_left_out(&self, left_out: u32) {
        let (feeds, digest) = (Arc::clone(&self.feeds), self.digest);
        let record = async move {
            if let Err(error) = feeds.record_left_out(&digest, left_out).traced("record_left_out").await {
                tracing::warn!(%error, "could not record how much a calendar feed left out");
            }
        };
        tokio::spawn(record.in_current_span());
    }
}

/// Writes a feed, and returns its tag and how much it left out.
fn write(
    found: &FoundFeed,
    zone: &Zone,
    since: Timestamp,
    events: Option<Document<Vec<Event>>>,
    boards: Option<Document<Vec<Board>>>,
) -> Result<(Bytes, EntityTag, u32), StorageError> {
    let FoundFeed { feed: CalendarFeed { settings, .. }, sequence, calendar_id, .. } = found;
    let mut events = events.map_or(Ok(Vec::new()), |events| events.parse())?;
    events.retain(|event| shows_event(settings, event));
    let tasks = shown_tasks(settings, boards.map_or(Ok(Vec::new()), |boards| boards.parse())?);
    let view = FeedView {
        name: &settings.name,
        detail: settings.detail,
        language: settings.language,
        sequence: *sequence,
        calendar_id,
        zone,
        since,
    };
    let WrittenFeed { ics, left_out } = feed::write(&view, &events, &tasks);
    let tag = EntityTag::of(&ics);
    // A boxed slice frees the spare capacity, which would use memory while the feed is in the cache.
    Ok((ics.into_boxed_slice().into(), tag, left_out))
}

/// The part of the cache key that tells feeds apart.
impl fmt::Display for FeedRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FoundFeed { feed, sequence, .. } = &self.found;
        write!(f, "feed {} {sequence} {} {}", feed.id, self.zone.as_str(), self.since)
    }
}

/// Returns whether the event, or one of its changed occurrences, names one of the persons of the feed.
fn shows_event(settings: &FeedSettings, event: &Event) -> bool {
    let persons = &settings.person_ids;
    let of_event = event.assignee_id.iter().chain(&event.participant_ids);
    let overrides = event.overrides.as_slice().iter();
    let of_occurrences = overrides.flat_map(|change| {
        let assignee = match &change.assignee_id {
            Field::Set(user) => Some(user),
            Field::Keep | Field::Clear => None,
        };
        assignee.into_iter().chain(change.participant_ids.iter().flatten())
    });
    persons.is_empty() || of_event.chain(of_occurrences).any(|user| persons.contains(user))
}

fn shown_tasks(settings: &FeedSettings, boards: Vec<Board>) -> Vec<Task> {
    let FeedSettings { person_ids, board_ids, .. } = settings;
    let boards = boards.into_iter().filter(|board| board_ids.is_empty() || board_ids.contains(&board.id));
    let tasks = boards.flat_map(|board| board.columns).flat_map(|column| column.tasks);
    let is_shown = |task: &Task| {
        let is_named = person_ids.is_empty() || task.assignee_id.as_ref().is_some_and(|user| person_ids.contains(user));
        task.due_date.is_some() && is_named
    };
    tasks.filter(is_shown).collect()
}

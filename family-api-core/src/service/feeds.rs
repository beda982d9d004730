//! Creates, lists, changes and ends calendar feeds.

use std::sync::Arc;

use tracing::instrument;

use crate::access::{Caller, SignedIn};
use crate::audit::AuditEvent;
use crate::error::Error;
use crate::feed::{
    CalendarFeed, CreatedFeed, EndedFeed, FeedBoard, FeedChoices, FeedDraft, FeedList, FeedShows, FeedUpdate,
};
use crate::id::{BoardId, FeedId, UserId};
use crate::key::{KeyDigest, KeySecret, PlainToken};
use crate::logged_id::loggable_text;
use crate::paths;
use crate::resource::{Person, ResourceKind};
use crate::service::last_use::PendingUses;
use crate::service::records::new_id;
use crate::service::storage_call::StorageCall;
use crate::service::{FamilyApi, ReadService};
use crate::storage::{FeedInsert, FeedStorage, FeedWrite, NewFeed, StorageError};
use crate::token::FEED;
use crate::validation::{Faults, FieldFault, Json, Reference};

/// Maximum number of current feeds of one user.
const MAX_FEEDS: u32 = 20;

/// The storage of feeds, and what this process knows about it.
pub(super) struct Feeds {
    pub(super) storage: Arc<dyn FeedStorage>,
    pub(super) pending_uses: PendingUses<KeyDigest>,
}

impl Feeds {
    pub(super) fn new(storage: Arc<dyn FeedStorage>) -> Self {
        Self { storage, pending_uses: PendingUses::default() }
    }
}

/// A handle to manage the caller's calendar feeds. Without a [`FeedStorage`], there are none.
#[derive(Clone, Copy)]
pub struct FeedService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) feeds: &'a Feeds,
    pub(super) caller: &'a Caller,
}

impl FeedService<'_> {
    /// Creates a feed. The returned value is the only place that contains its address.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if a value is invalid, or names a user or a board that is not in the family.
    /// - [`Error::ApiDisabledForKey`] if the personal API is switched off.
    /// - [`Error::FeedLimitReached`] if the user already has 20 feeds.
    /// - [`Error::NotFound`] if the draft names users or boards, and the user has no family.
    /// - [`Error::NotSignedIn`] if the caller has a token, or the session has ended during the request.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes.
    /// - The error of the storage.
    pub async fn create(&self, draft: FeedDraft) -> Result<CreatedFeed, Error> {
        self.create_from_body(Json::of(&draft)).await
    }

    /// Creates a feed from the body of a request, as [`create`](Self::create) does from a draft.
    ///
    /// # Errors
    /// The errors of [`create`](Self::create).
    #[instrument(level = "debug", name = "create_feed", skip_all, fields(user = %self.caller.user()))]
    pub async fn create_from_body(&self, body: Json) -> Result<CreatedFeed, Error> {
        let owner = self.owner()?;
        let now = self.api.clock.now();
        let FeedDraft { settings, expires_at, .. } = FeedDraft::from_body(body, now).map_err(Error::InvalidField)?;
        if !self.caller.account().personal_api_enabled {
            return Err(Error::ApiDisabledForKey);
        }
        self.check_shows(settings.shows)?;
        self.check_named(&settings.person_ids, &settings.board_ids).await?;
        let secret = KeySecret::generate_with(FEED)?;
        let feed = CalendarFeed {
            id: new_id(now)?,
            hint: secret.hint_with(FEED),
            settings,
            created_at: now,
            updated_at: now,
            expires_at,
            last_used_at: None,
            left_out: 0,
        };
        let new = NewFeed { digest: secret.digest(), owner, feed };
        let (user, feed) = (new.owner.user.clone(), new.feed.id.clone());
        let pending = self.api.begin_event(AuditEvent::FeedCreated { user, feed });
        let inserted = self.feeds.storage.insert_feed(&new, MAX_FEEDS).traced("insert_feed").await?;
        pending.complete(inserted == FeedInsert::Inserted);
        match inserted {
            FeedInsert::Inserted => {
                self.end_unless_enabled(&new).await?;
                Ok(CreatedFeed::new(new.feed, PlainToken::new(&paths::calendar_feed(secret.expose()))))
            }
            FeedInsert::NotSignedIn => Err(Error::NotSignedIn),
            FeedInsert::LimitReached => Err(Error::FeedLimitReached { limit: MAX_FEEDS }),
        }
    }

    /// Ends a feed that was inserted after its owner had ended all access, or was deleted. The account of the caller was
    /// read before.
    async fn end_unless_enabled(&self, new: &NewFeed) -> Result<(), Error> {
        let account = self.api.find_named_account("session", &new.owner.user).await?;
        let refused = match account {
            Some(account) if account.personal_api_enabled => return Ok(()),
            Some(_) => Error::ApiDisabledForKey,
            None => Error::NotSignedIn,
        };
        // The session was checked by the insertion, and can have ended with the user.
        let owner = SignedIn { session: None, ..new.owner.clone() };
        self.feeds.storage.delete_feed(&owner, &new.feed.id, new.feed.created_at).traced("delete_feed").await?;
        Err(refused)
    }

    /// Returns the caller's feeds, newest first.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the caller has a token, or the error of the storage.
    #[instrument(level = "debug", name = "list_feeds", skip_all, fields(user = %self.caller.user()))]
    pub async fn list(&self) -> Result<FeedList, Error> {
        let owner = self.owner()?;
        let now = self.api.clock.now();
        Ok(FeedList::new(self.feeds.storage.list_feeds(&owner.user, now).traced("list_feeds").await?))
    }

    /// Returns the members and the boards that a feed can be limited to.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the user has no family.
    /// - [`Error::NotSignedIn`] if the caller has a token.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "list_feed_choices", skip_all, fields(user = %self.caller.user()))]
    pub async fn choices(&self) -> Result<FeedChoices, Error> {
        self.owner()?;
        Ok(FeedChoices::new(self.members().await?, self.boards().await?))
    }

    /// Changes what a feed shows, from the body of a request. Its address stays the same.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if a value is invalid, or names a user or a board that is not in the family.
    /// - [`Error::NotFound`] if the caller does not have the feed, or it has ended.
    /// - [`Error::NotSignedIn`] if the caller has a token, or the session has ended during the request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_feed", skip_all, fields(user = %self.caller.user(), feed = feed.id().and_then(loggable_text)))]
    pub async fn update_from_body(&self, feed: &Reference<FeedId>, body: Json) -> Result<CalendarFeed, Error> {
        let owner = self.owner()?;
        let update = FeedUpdate::from_body(body).map_err(Error::InvalidField)?;
        if let Some(shows) = update.shows {
            self.check_shows(shows)?;
        }
        let persons = update.person_ids.as_deref().unwrap_or_default();
        self.check_named(persons, update.board_ids.as_deref().unwrap_or_default()).await?;
        let feed = feed.id().ok_or(Error::NotFound)?;
        let event = AuditEvent::FeedUpdated { user: owner.user.clone(), feed: Some(feed.clone()) };
        let pending = self.api.begin_event(event);
        let now = self.api.clock.now();
        let updated = self.feeds.storage.update_feed(&owner, feed, &update, now).traced("update_feed").await?;
        pending.complete(matches!(updated, FeedWrite::Written(_)));
        written(updated)
    }

    /// Ends a feed. When the call returns, its address is unknown on every node.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller does not have the feed, or it has ended.
    /// - [`Error::NotSignedIn`] if the caller has a token, or the session has ended during the request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "end_feed", skip_all, fields(user = %self.caller.user(), feed = feed.id().and_then(loggable_text)))]
    pub async fn end(&self, feed: &Reference<FeedId>) -> Result<EndedFeed, Error> {
        let owner = self.owner()?;
        let feed = feed.id().ok_or(Error::NotFound)?;
        let event = AuditEvent::FeedEnded { user: owner.user.clone(), feed: Some(feed.clone()) };
        let pending = self.api.begin_event(event);
        let now = self.api.clock.now();
        let ended = self.feeds.storage.delete_feed(&owner, feed, now).traced("delete_feed").await?;
        pending.complete(matches!(ended, FeedWrite::Written(())));
        written(ended)?;
        Ok(EndedFeed::new(feed.clone()))
    }

    fn owner(&self) -> Result<SignedIn, Error> {
        Ok(self.caller.signed_in()?)
    }

    /// Checks that the storage keeps what the feed shows.
    fn check_shows(&self, shows: FeedShows) -> Result<(), Error> {
        let keeps = |resource| self.api.capabilities.keeps_resource(resource);
        let detail = if shows.has_events() && !keeps(ResourceKind::Events) {
            "this service has no events"
        } else if shows.has_tasks() && !keeps(ResourceKind::Tasks) {
            "this service has no tasks"
        } else {
            return Ok(());
        };
        Err(Error::InvalidField(Faults::from(FieldFault::of_field("shows", detail))))
    }

    /// Checks that the family has the users and the boards, and that the caller sees the boards. A feed that names others
    /// would be empty without a word.
    async fn check_named(&self, persons: &[UserId], boards: &[BoardId]) -> Result<(), Error> {
        let mut faults = Vec::new();
        if !persons.is_empty() {
            let members = self.members().await?;
            let is_unknown = |person: &UserId| !members.iter().any(|member| member.id == *person);
            faults.extend(unknown("personIds", persons, is_unknown, "is not the id of a member of the family"));
        }
        if !boards.is_empty() {
            let known = self.boards().await?;
            let is_unknown = |board: &BoardId| !known.iter().any(|one| one.id == *board);
            faults.extend(unknown("boardIds", boards, is_unknown, "is not the id of a board that you see"));
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::InvalidField(Faults::from(faults))) }
    }

    async fn members(&self) -> Result<Vec<Person>, Error> {
        Ok(self.reads().members().await?.parse().map_err(StorageError::from)?)
    }

    /// Returns the boards that the caller sees.
    async fn boards(&self) -> Result<Vec<FeedBoard>, Error> {
        if !self.api.capabilities.keeps_resource(ResourceKind::Tasks) {
            return Ok(Vec::new());
        }
        let boards = self.reads().board_outlines().await?;
        Ok(boards.into_iter().map(|board| FeedBoard::new(board.id, board.name)).collect())
    }

    fn reads(&self) -> ReadService<'_> {
        ReadService { api: self.api, caller: self.caller }
    }
}

impl std::fmt::Debug for FeedService<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FeedService").field("user", self.caller.user()).finish_non_exhaustive()
    }
}

fn unknown<I>(
    field: &'static str,
    ids: &[I],
    is_unknown: impl Fn(&I) -> bool,
    detail: &'static str,
) -> impl Iterator<Item = FieldFault> {
    let unknown = ids.iter().enumerate().filter(move |(_, id)| is_unknown(id));
    unknown.map(move |(index, _)| FieldFault::of_element(field, index, detail)).collect::<Vec<_>>().into_iter()
}

fn written<T>(result: FeedWrite<T>) -> Result<T, Error> {
    match result {
        FeedWrite::Written(value) => Ok(value),
        FeedWrite::NotFound => Err(Error::NotFound),
        FeedWrite::NotSignedIn => Err(Error::NotSignedIn),
    }
}

//! Calls on calendar feeds.

use std::sync::Arc;

use family_api_types::feed::{CalendarFeed, CreatedFeed, EndedFeed, FeedChoices, FeedDraft, FeedList, FeedUpdate};
use family_api_types::id::FeedId;
use family_api_types::paths;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls on the calendar feeds of a signed-in user: addresses at which a calendar program reads events and due tasks.
#[derive(Debug, Clone)]
pub struct FeedsApi {
    pub(crate) transport: Arc<Transport>,
}

impl FeedsApi {
    /// Creates a feed. Only this response contains the address of the feed.
    pub fn create(&self, draft: FeedDraft) -> Call<CreatedFeed> {
        Call::new(&self.transport, Request::post(paths::CALENDAR_FEEDS).with_body(draft))
    }

    /// Lists the feeds, newest first.
    pub fn list(&self) -> Call<FeedList> {
        Call::new(&self.transport, Request::get(paths::CALENDAR_FEEDS))
    }

    /// Lists the members and the boards that a feed can be limited to.
    pub fn choices(&self) -> Call<FeedChoices> {
        Call::new(&self.transport, Request::get(paths::CALENDAR_FEED_CHOICES))
    }

    /// Changes what a feed shows. Its address stays the same.
    pub fn update(&self, feed: &FeedId, update: FeedUpdate) -> Call<CalendarFeed> {
        Call::new(&self.transport, Request::patch(paths::feed(feed), update))
    }

    /// Ends a feed. Its address is unknown as soon as this call returns.
    pub fn end(&self, feed: &FeedId) -> Call<EndedFeed> {
        Call::new(&self.transport, Request::delete(paths::feed(feed)))
    }
}

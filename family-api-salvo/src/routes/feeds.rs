//! The routes of the signed-in user's calendar feeds. The route that reads a feed is in `calendar`.

use family_api_core::feed::{CalendarFeed, CreatedFeed, EndedFeed, FeedChoices, FeedList};
use family_api_core::{ErrorCode, paths};
use salvo::Handler;
use salvo::http::Method;

use super::route;
use crate::handlers;
use crate::request_body::RequestBody;
use crate::response_content::Content;
use crate::route::{Access, Route, RouteGroup};

pub(super) fn feed_routes() -> Vec<Route> {
    Vec::from([
        Route {
            request: Some(RequestBody::FEED_DRAFT),
            status: 201,
            extra_errors: &[ErrorCode::ApiDisabledForKey, ErrorCode::FeedLimitReached, ErrorCode::NotFound],
            ..route(
                Method::POST,
                paths::CALENDAR_FEEDS,
                RouteGroup::Feeds,
                Access::Session,
                ["createFeed", "Creates a calendar feed. Only this response contains its address"],
                Content::json::<CreatedFeed>(),
                || handlers::create_feed.arc(),
            )
        },
        route(
            Method::GET,
            paths::CALENDAR_FEEDS,
            RouteGroup::Feeds,
            Access::Session,
            ["listFeeds", "Lists the calendar feeds, newest first"],
            Content::json::<FeedList>(),
            || handlers::list_feeds.arc(),
        ),
        Route {
            extra_errors: &[ErrorCode::NotFound],
            ..route(
                Method::GET,
                paths::CALENDAR_FEED_CHOICES,
                RouteGroup::Feeds,
                Access::Session,
                ["listFeedChoices", "Lists the members and the boards that a calendar feed can be limited to"],
                Content::json::<FeedChoices>(),
                || handlers::list_feed_choices.arc(),
            )
        },
        Route {
            request: Some(RequestBody::FEED_UPDATE),
            ..route(
                Method::PATCH,
                paths::CALENDAR_FEED,
                RouteGroup::Feeds,
                Access::Session,
                ["updateFeed", "Changes what a calendar feed shows"],
                Content::json::<CalendarFeed>(),
                || handlers::update_feed.arc(),
            )
        },
        route(
            Method::DELETE,
            paths::CALENDAR_FEED,
            RouteGroup::Feeds,
            Access::Session,
            ["endFeed", "Ends a calendar feed"],
            Content::json::<EndedFeed>(),
            || handlers::end_feed.arc(),
        ),
    ])
}

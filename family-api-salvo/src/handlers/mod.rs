//! The operations that do not write records. A handler parses the request, calls the service and returns the response.
//!
//! A handler checks in this order: permission, path and query, body, record (HTTP reference, "Order of checks").

mod account;
#[cfg(feature = "docs")]
mod docs;
mod feeds;
mod get_openapi;
mod read_records;
mod read_resource;

pub(crate) use account::{
    create_key, get_profile, list_connections, list_deleted, list_keys, revoke_access, revoke_connection, revoke_key,
    update_profile,
};
#[cfg(feature = "docs")]
pub(crate) use docs::{GetDocs, GetDocsFile};
pub(crate) use feeds::{create_feed, end_feed, list_feed_choices, list_feeds, update_feed};
pub(crate) use get_openapi::{GetOpenApi, OpenApi};
pub(crate) use read_records::{
    find_event, find_note, find_shopping_item, find_task, list_boards, list_changes, list_members, list_shopping_items,
    list_shopping_lists, list_tasks, read_overview,
};
pub(crate) use read_resource::ReadResource;

//! The operations. A handler parses the request, calls the service and returns the response.
//!
//! A handler checks in this order: permission, path and query, body, record (HTTP reference, "Order of checks").

mod account;
mod get_openapi;
#[cfg(feature = "page")]
mod page;
mod read_resource;
mod records;

pub(crate) use account::{
    create_key, get_profile, list_connections, list_deleted, list_keys, revoke_access, revoke_connection, revoke_key,
    update_profile,
};
pub(crate) use get_openapi::{GetOpenApi, OpenApi};
#[cfg(feature = "page")]
pub(crate) use page::{GetPage, GetPageFile};
pub(crate) use read_resource::ReadResource;
pub(crate) use records::{CreateRecord, DeleteRecord, RestoreRecord, UpdateRecord, delete_checked_items};

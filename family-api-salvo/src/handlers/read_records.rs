//! Reads the overview, one record, a list of records, or the changes of records, with a token.

use family_api_core::query::{ChangeRequest, PageRequest};
use family_api_core::resource::{ItemQuery, OverviewQuery, RecordPage, TaskQuery, UnknownParameter};
use family_api_core::{Error, ReadService};
use salvo::{Depot, Request, handler};
use serde::Serialize;
use tokio::task::spawn_blocking;

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, path_reference};
use crate::request_headers::if_none_match;

/// Implements handlers that return one record.
macro_rules! find {
    ($($handler:ident: $method:ident -> $($field:ident).+;)*) => {
        $(
            /// Returns a record.
            #[handler]
            pub(crate) async fn $handler(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
                let found = reads(req, depot, &[])?.$method(&path_reference(req)).await?;
                Ok(versioned(req, &found.$($field).+)?)
            }
        )*
    };
}

find! {
    find_task: get_task -> record.task;
    find_event: get_event -> record;
    find_shopping_item: get_shopping_item -> record;
    find_note: get_note -> record;
}

/// Lists tasks.
#[handler]
pub(crate) async fn list_tasks(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let reads = reads(req, depot, &[&TaskQuery::PARAMETERS, &PageRequest::PARAMETERS])?;
    let query = TaskQuery::parse(query_string(req)).map_err(Error::from)?;
    let found = reads.find_tasks(&query, &page(req)?).await?;
    Ok(versioned_list(req, RecordPage::from(found.map(|found| found.task))).await?)
}

/// Lists shopping items.
#[handler]
pub(crate) async fn list_shopping_items(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let reads = reads(req, depot, &[&ItemQuery::PARAMETERS, &PageRequest::PARAMETERS])?;
    let query = ItemQuery::parse(query_string(req)).map_err(Error::from)?;
    let found = reads.find_shopping_items(&query, &page(req)?).await?;
    Ok(versioned_list(req, RecordPage::from(found)).await?)
}

/// Lists the boards with their columns.
#[handler]
pub(crate) async fn list_boards(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    Ok(versioned_list(req, reads(req, depot, &[])?.board_outlines().await?).await?)
}

/// Lists the shopping lists.
#[handler]
pub(crate) async fn list_shopping_lists(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    Ok(versioned_list(req, reads(req, depot, &[])?.list_outlines().await?).await?)
}

/// Lists the members of the family.
#[handler]
pub(crate) async fn list_members(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let members = reads(req, depot, &[])?.members().await?;
    Ok(JsonResponse::from_json(members.into_bytes()).unless_known(if_none_match(req)))
}

/// Returns the overview.
#[handler]
pub(crate) async fn read_overview(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let reads = reads(req, depot, &[&OverviewQuery::PARAMETERS])?;
    let query = OverviewQuery::parse(query_string(req)).map_err(Error::from)?;
    let overview = reads.overview(&query).await?;
    Ok(JsonResponse::from_json(overview.into_bytes()).unless_known(if_none_match(req)))
}

/// Lists the changes since a state. The response has no `ETag`: it is always short if nothing has changed.
#[handler]
pub(crate) async fn list_changes(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
    let reads = reads(req, depot, &[&ChangeRequest::PARAMETERS])?;
    let request = ChangeRequest::parse(query_string(req)).map_err(Error::from)?;
    let changes = reads.changes(&request).await?;
    Ok(in_background(move || JsonResponse::serialize(&changes)).await?)
}

/// Returns the service if the caller may read and the query has only these parameters.
fn reads<'a>(req: &Request, depot: &'a Depot, parameters: &[&[&'static str]]) -> Result<ReadService<'a>, Error> {
    let context = RequestContext::of(depot)?;
    let reads = context.api.read(&context.caller)?;
    UnknownParameter::check(query_string(req), &parameters.concat())?;
    Ok(reads)
}

fn query_string(req: &Request) -> &str {
    req.uri().query().unwrap_or_default()
}

fn page(req: &Request) -> Result<PageRequest, Error> {
    Ok(PageRequest::parse(query_string(req))?)
}

/// Serializes a record with its `ETag`, unless the client already has it.
fn versioned<T: Serialize>(req: &Request, record: &T) -> Result<JsonResponse, Error> {
    Ok(JsonResponse::serialize(record)?.unless_known(if_none_match(req)))
}

/// Does the same with a list, on a blocking thread: 100 tasks with long texts have several megabytes.
async fn versioned_list<T: Serialize + Send + 'static>(req: &Request, list: T) -> Result<JsonResponse, Error> {
    let client_tags = if_none_match(req);
    in_background(move || Ok(JsonResponse::serialize(&list)?.unless_known(client_tags))).await
}

/// Serializes a list on a blocking thread.
async fn in_background(
    serialize: impl FnOnce() -> Result<JsonResponse, Error> + Send + 'static,
) -> Result<JsonResponse, Error> {
    spawn_blocking(serialize).await.map_err(|error| Error::Internal(Box::new(error)))?
}

#[cfg(test)]
mod tests {
    use std::thread;

    use serde::Serializer;

    use super::*;

    /// Contains the thread that created it, and is serialized only by another thread.
    struct ForAnotherThread(thread::ThreadId);

    impl Serialize for ForAnotherThread {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            assert_ne!(thread::current().id(), self.0);
            serializer.serialize_unit()
        }
    }

    #[tokio::test]
    async fn a_list_does_not_delay_the_other_requests_of_a_thread() {
        assert!(versioned_list(&Request::new(), ForAnotherThread(thread::current().id())).await.is_ok());
    }
}

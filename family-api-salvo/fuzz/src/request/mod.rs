//! Complete requests of any user to any path, sent to the router without a socket.

mod effects;
mod every_response;
mod openapi;
mod parse;
mod permissions;

use std::cell::RefCell;
use std::sync::LazyLock;

use family_api_core::storage::Record;

use crate::app::{self, App, TestResponse};
use effects::View;
use openapi::OpenApiDocument;
use parse::ParsedRequest;

/// Two families, and a user without a family. Private records contain a canary that names the users who may read them.
static RECORDS: LazyLock<Vec<Record>> = LazyLock::new(|| app::parse_records(include_str!("families.jsonl")));

thread_local! {
    /// The app that handles the inputs. A new app replaces it after a change, so that each input starts with
    /// [`RECORDS`].
    static APP: RefCell<App> = RefCell::new(App::new(RECORDS.clone(), false));
    static INITIAL_VIEW: View = APP.with_borrow(View::of);
    /// An app that also serves the OpenAPI document. It gets only requests for public paths, which do not change data.
    static APP_WITH_OPENAPI: App = App::new(RECORDS.clone(), true);
    static OPENAPI: OpenApiDocument = APP_WITH_OPENAPI.with(OpenApiDocument::of);
}

/// Checks that the response to any request matches the OpenAPI document and contains no data of other users. Checks
/// that the request changes data only if the response says so.
pub fn request(data: &[u8]) {
    let Some(request) = ParsedRequest::parse(data) else { return };
    if request.is_public() {
        let response = APP_WITH_OPENAPI.with(|app| app.send(request.to_salvo()));
        return check(&request, &response);
    }
    let response = APP.with_borrow(|app| app.send(request.to_salvo()));
    if request.is_mcp() {
        return check_mcp(&request, &response);
    }
    let is_write = (200..300).contains(&response.status) && !request.is_read();
    if is_write {
        // Resets the state for the next input, even if a later check panics.
        let app = APP.replace(App::new(RECORDS.clone(), false));
        check(&request, &response);
        return INITIAL_VIEW.with(|before| effects::check_write(&request, &response, before, &View::of(&app)));
    }
    check(&request, &response);
    APP.with_borrow(|app| check_not_modified(&request, &response, app));
    // To save time, only reads with one of 16 input lengths are checked for changes.
    if !request.is_read() || data.len().is_multiple_of(16) {
        let after = APP.with_borrow(View::of);
        if INITIAL_VIEW.with(|before| *before != after) {
            APP.replace(App::new(RECORDS.clone(), false));
            panic!("{request:?} changed data, but the response is {response:?}");
        }
    }
}

/// Checks the answer of an MCP endpoint. Only a call with a token that may write changes data, and only the data of its
/// own family.
fn check_mcp(request: &ParsedRequest, response: &TestResponse) {
    let after = APP.with_borrow(View::of);
    let is_change = INITIAL_VIEW.with(|before| *before != after);
    if is_change {
        APP.replace(App::new(RECORDS.clone(), false));
    }
    check(request, response);
    if is_change {
        assert!(permissions::may_write(request), "{request:?} changed data, and the response is {response:?}");
        INITIAL_VIEW.with(|before| effects::check_family(request, before, &after));
    }
}

/// Checks that a request with the current `ETag` gets 304 without a body.
fn check_not_modified(request: &ParsedRequest, response: &TestResponse, app: &App) {
    if let Some(tag) = response.headers.get("etag").filter(|_| response.status == 200) {
        let again = app.send(request.with_header("if-none-match", tag).to_salvo());
        assert_eq!(
            (again.status, again.headers.get("etag"), again.body.is_empty()),
            (304, Some(tag), true),
            "{request:?}"
        );
    }
}

fn check(request: &ParsedRequest, response: &TestResponse) {
    every_response::check(request, response);
    OPENAPI.with(|document| document.check(request, response));
    permissions::check(request, response);
}

//! Complete requests, in process, by any user to any path.

mod answers;
mod documented;
mod effects;
mod parse;
mod people;

use std::cell::RefCell;
use std::sync::LazyLock;

use family_api_core::storage::Record;

use crate::app::{self, Answer, App};
use documented::Documented;
use effects::View;
use parse::ParsedRequest;

/// Two families, and a user without a family. Private records contain a canary that names the users who may read them.
static RECORDS: LazyLock<Vec<Record>> = LazyLock::new(|| app::lines(include_str!("families.jsonl")));

thread_local! {
    /// The initial state of every input.
    static NEW: RefCell<App> = RefCell::new(App::new(RECORDS.clone(), false));
    static VIEW: View = NEW.with_borrow(View::of);
    /// The same with the OpenAPI document. Requests do not change it.
    static DOCUMENTED: App = App::new(RECORDS.clone(), true);
    static DOCUMENT: Documented = DOCUMENTED.with(Documented::of);
}

/// The response to any request matches the OpenAPI document and contains no data of other users. The request changes
/// data only if the response says so.
pub fn request(data: &[u8]) {
    let Some(asked) = ParsedRequest::parse(data) else { return };
    if asked.is_open() {
        let answer = DOCUMENTED.with(|app| app.send(asked.request()));
        return check(&asked, &answer);
    }
    let answer = NEW.with_borrow(|app| app.send(asked.request()));
    let wrote = (200..300).contains(&answer.status) && !asked.is_read();
    if wrote {
        // Resets the state for the next input, even if a later check panics.
        let app = NEW.replace(App::new(RECORDS.clone(), false));
        check(&asked, &answer);
        return VIEW.with(|before| effects::wrote(&asked, &answer, before, &View::of(&app)));
    }
    check(&asked, &answer);
    NEW.with_borrow(|app| check_not_modified(&asked, &answer, app));
    if !asked.is_read() || data.len().is_multiple_of(16) {
        let after = NEW.with_borrow(View::of);
        if VIEW.with(|before| *before != after) {
            NEW.replace(App::new(RECORDS.clone(), false));
            panic!("an effect of {asked:?}, which was answered with {answer:?}");
        }
    }
}

/// A request with the current `ETag` gets 304 without a body.
fn check_not_modified(asked: &ParsedRequest, answer: &Answer, app: &App) {
    if let Some(tag) = answer.headers.get("etag").filter(|_| answer.status == 200) {
        let again = app.send(asked.with("if-none-match", tag).request());
        assert_eq!(
            (again.status, again.headers.get("etag"), again.body.is_empty()),
            (304, Some(tag), true),
            "{asked:?}"
        );
    }
}

fn check(asked: &ParsedRequest, answer: &Answer) {
    answers::every(asked, answer);
    DOCUMENT.with(|document| document.check(asked, answer));
    people::check(asked, answer);
}

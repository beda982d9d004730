//! Whole requests, in process, by everybody and to everything.

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
use parse::Asked;

/// Two families, with somebody in neither; what only some may see says in a canary who they are.
static RECORDS: LazyLock<Vec<Record>> = LazyLock::new(|| app::lines(include_str!("families.jsonl")));

thread_local! {
    /// The state that every input begins with.
    static NEW: RefCell<App> = RefCell::new(App::new(RECORDS.clone(), false));
    static VIEW: View = NEW.with_borrow(View::of);
    /// The same with its document, which no request changes.
    static DOCUMENTED: App = App::new(RECORDS.clone(), true);
    static DOCUMENT: Documented = DOCUMENTED.with(Documented::of);
}

/// A request, written as HTTP/1.1 writes it, is answered as the document says, shows nobody what is not theirs to see,
/// and changes something only where it says so.
pub fn request(data: &[u8]) {
    let Some(asked) = Asked::parse(data) else { return };
    if asked.is_open() {
        let answer = DOCUMENTED.with(|app| app.send(asked.request()));
        return judge(&asked, &answer);
    }
    let answer = NEW.with_borrow(|app| app.send(asked.request()));
    let wrote = (200..300).contains(&answer.status) && !asked.reads();
    if wrote {
        // The next input begins anew, also where this one is found to break a promise.
        let app = NEW.replace(App::new(RECORDS.clone(), false));
        judge(&asked, &answer);
        return VIEW.with(|before| effects::wrote(&asked, &answer, before, &View::of(&app)));
    }
    judge(&asked, &answer);
    NEW.with_borrow(|app| known(&asked, &answer, app));
    if !asked.reads() || data.len().is_multiple_of(16) {
        let after = NEW.with_borrow(View::of);
        if VIEW.with(|before| *before != after) {
            NEW.replace(App::new(RECORDS.clone(), false));
            panic!("an effect of {asked:?}, which was answered with {answer:?}");
        }
    }
}

/// Who has a version already is told so, and is told nothing else.
fn known(asked: &Asked, answer: &Answer, app: &App) {
    if let Some(tag) = answer.headers.get("etag").filter(|_| answer.status == 200) {
        let again = app.send(asked.with("if-none-match", tag).request());
        assert_eq!(
            (again.status, again.headers.get("etag"), again.body.is_empty()),
            (304, Some(tag), true),
            "{asked:?}"
        );
    }
}

fn judge(asked: &Asked, answer: &Answer) {
    answers::every(asked, answer);
    DOCUMENT.with(|document| document.check(asked, answer));
    people::check(asked, answer);
}

//! `GET /login`: the sign-in page. It works without scripts.

use family_api_core::paths;

use family_api_salvo::html::{Layout, View};
use maud::{Markup, html};
use salvo::http::StatusCode;
use salvo::http::header::RETRY_AFTER;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::handlers::text::{SignInText, Text};
use crate::return_path::{self, ReturnPath};

/// The page to which a sign-in leads if the address of the sign-in page names none.
pub(crate) const KEYS_PAGE: &str = "/keys";

/// Why a sign-in failed.
struct Failure {
    status: StatusCode,
    /// The number of seconds to wait before the next attempt.
    wait: String,
}

/// Sends the sign-in page.
#[derive(Clone)]
pub(crate) struct LoginPage {
    pub(crate) layout: Layout,
}

impl LoginPage {
    /// Replaces the answer to a failed sign-in by the page, with the reason and the e-mail address that was entered.
    pub(super) fn render_failure(&self, req: &Request, email: &str, res: &mut Response) {
        let failure = Failure {
            status: res.status_code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            wait: res.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()).unwrap_or("60").to_owned(),
        };
        self.render(req, email, Some(failure), res);
    }

    fn render(&self, req: &Request, email: &str, failure: Option<Failure>, res: &mut Response) {
        let view = self.layout.view(req, paths::LOGIN);
        let text = &Text::of(view.language()).sign_in;
        let main = main(&view, text, &sign_in_query(req), email, failure.as_ref());
        let page = view.page(text.sign_in, main).with_form();
        res.render(page.status(failure.map_or(StatusCode::OK, |failure| failure.status)));
    }
}

/// Returns the query of the form's address. The user returns to the page that the request names, or to the keys.
fn sign_in_query(req: &Request) -> String {
    let next = ReturnPath::of(req).map_or_else(|| KEYS_PAGE.to_owned(), |path| path.to_string());
    form_urlencoded::Serializer::new(String::new()).append_pair(return_path::PARAMETER, &next).finish()
}

fn main(view: &View, text: &SignInText, query: &str, email: &str, failure: Option<&Failure>) -> Markup {
    let is_retry = !email.is_empty();
    html! {
        div.card.narrow {
            h1 { (text.sign_in) }
            p.muted { (text.explanation) }
            @if let Some(failure) = failure {
                p.note.error #failure role="alert" { (reason(text, failure)) }
            }
            form method="post" action={ (view.link(paths::LOGIN)) "?" (query) } {
                div.field {
                    label for="email" { (text.email) }
                    input #email type="email" name="email" value=(email) required autocomplete="username" dir="ltr"
                        autofocus[!is_retry];
                }
                div.field {
                    label for="password" { (text.password) }
                    input #password type="password" name="password" required autocomplete="current-password" dir="ltr"
                        autofocus[is_retry] aria-describedby=[failure.map(|_| "failure")];
                }
                button.primary.wide type="submit" { (text.sign_in) }
            }
        }
    }
}

fn reason(text: &SignInText, failure: &Failure) -> String {
    let reason = match failure.status {
        StatusCode::UNAUTHORIZED => text.wrong,
        StatusCode::FORBIDDEN => text.cross_site,
        StatusCode::TOO_MANY_REQUESTS => text.too_many,
        StatusCode::UNPROCESSABLE_ENTITY => text.incomplete,
        status if status.is_client_error() => text.malformed,
        _ => text.failed,
    };
    reason.replace("{seconds}", &failure.wait)
}

#[async_trait]
impl Handler for LoginPage {
    async fn handle(&self, req: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        self.render(req, "", None, res);
    }
}

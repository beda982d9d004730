//! The consent page.

use family_api_core::access::Caller;
use family_api_core::key::KeyMode;
use family_api_core::resource::Profile;
use family_api_core::{FamilyApi, Surface};
use maud::{Markup, html};
use salvo::Response;
use salvo::http::StatusCode;

use crate::html::text::ConsentText;
use crate::html::{AccessWords, FormAction, View};
use crate::oauth::consent::access::Access;
use crate::oauth::consent::form::{self, ALLOW, DENY, ENABLE, field};
use crate::oauth::consent::request::ConsentRequest;
use crate::oauth::page_error::PageError;
use crate::oauth::{OAuthContext, RedirectUri};

/// What the page shows. All of it comes from the signed request and from the user's profile.
pub(crate) struct ConsentPage {
    request: ConsentRequest,
    signed: String,
    profile: Profile,
    notice: Notice,
    api: FamilyApi,
}

/// The message above the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The user has not answered yet.
    None,
    /// The user allowed this mode, but did not switch the personal API on.
    PersonalApiRequired { mode: KeyMode },
}

impl Notice {
    /// Returns the mode that the user has chosen before.
    fn mode(self) -> Option<KeyMode> {
        match self {
            Self::None => None,
            Self::PersonalApiRequired { mode } => Some(mode),
        }
    }
}

impl ConsentPage {
    /// Signs the request and loads the user's profile.
    pub(crate) async fn new(
        oauth: &OAuthContext,
        caller: &Caller,
        request: ConsentRequest,
        notice: Notice,
    ) -> Result<Self, PageError> {
        let signed = request.sign(&oauth.grants()?.signing_key().await?)?;
        let profile = oauth.api.profile(caller)?.get().await?;
        Ok(Self { request, signed, profile, notice, api: oauth.api.clone() })
    }

    pub(crate) fn render(&self, view: &View, res: &mut Response) {
        let text = &view.text().oauth.consent;
        let main = html! {
            div.narrow {
                form.card method="post" action=(view.link(form::PATH)) {
                    h1 { (text.question) }
                    (self.facts(text))
                    p.note.warning { (warning(text, &self.request.redirect_uri)) }
                    (self.controls(text, view))
                }
            }
        };
        let status = match self.notice {
            Notice::None => StatusCode::OK,
            Notice::PersonalApiRequired { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        };
        res.render(view.page(text.title, main).form_action(FormAction::Any).status(status));
    }

    /// Shows the client's name as a claim. The hosts of its metadata document and of the redirect address are facts.
    fn facts(&self, text: &ConsentText) -> Markup {
        html! {
            dl {
                (claimed_name(text, self.request.client.name()))
                @if let Some(publisher) = &self.request.publisher {
                    div {
                        dt { (text.publisher) }
                        dd { strong { bdi { (publisher) } } }
                    }
                }
                div {
                    dt { (text.destination) }
                    dd { (destination(text, &self.request.redirect_uri)) }
                }
                div {
                    dt { (text.user) }
                    dd { bdi { (self.profile.name) } }
                    dd.hint { bdi { (self.profile.email) } }
                }
            }
        }
    }

    /// The fields and buttons. The narrowest access is selected, whatever the client asks for. The button that denies
    /// stays on the screen. The button that allows follows what it allows.
    fn controls(&self, text: &ConsentText, view: &View) -> Markup {
        let (before_page, after_page) = text.end_later.split_once("{page}").unwrap_or((text.end_later, ""));
        let choices = self.request.choices();
        let words = |access: &Access| AccessWords {
            text: &view.text().access,
            app: self.api.capabilities(),
            mode: access.mode,
            scopes: access.scopes.clone(),
        };
        let chosen = self.notice.mode().or(choices.first().map(|narrowest| narrowest.mode));
        html! {
            input type="hidden" name=(field::REQUEST) value=(self.signed);
            fieldset {
                legend { (text.access) }
                @for access in &choices {
                    label.choice {
                        input type="radio" name=(field::ACCESS) value=(access.mode.as_str())
                            checked[chosen == Some(access.mode)];
                        span { (words(access).render()) }
                    }
                }
            }
            @if self.request.surface == Surface::V1 && !self.profile.personal_api_enabled {
                (self.personal_api(text))
            }
            p { (before_page) (view.keys_link()) (after_page) " " (text.time_limit) }
            button.primary.wide name=(field::DECISION) value=(ALLOW) { (text.allow) }
            div.stays { button.wide name=(field::DECISION) value=(DENY) formnovalidate { (text.deny) } }
        }
    }

    /// Offers to switch the personal API on. The box is not ticked, because it also affects other keys.
    fn personal_api(&self, text: &ConsentText) -> Markup {
        html! {
            fieldset {
                @if self.notice != Notice::None {
                    p.note.error role="alert" { (text.enable_api_required) }
                }
                p { (text.api_is_off) }
                label.choice {
                    input type="checkbox" name=(field::PERSONAL_API) value=(ENABLE) required;
                    span { strong { (text.enable_api) } small { (text.enable_api_hint) } }
                }
            }
        }
    }
}

/// Returns the name that the client claims, with the hint that it is only a claim.
pub(crate) fn claimed_name(text: &ConsentText, name: Option<&str>) -> Markup {
    html! {
        div {
            dt { (text.client) }
            @match name {
                Some(name) => { dd { q { bdi { (name) } } } dd.hint { (text.unchecked_name) } },
                None => dd { (text.no_name) },
            }
        }
    }
}

/// Returns the host of the redirect address, in words if it is the device itself.
fn destination(text: &ConsentText, redirect_uri: &RedirectUri) -> Markup {
    let host = html! { bdi { (redirect_uri.host()) } };
    if redirect_uri.is_loopback() {
        html! { strong { (text.this_device) } " (" (host) ")" }
    } else {
        html! { strong { (host) } }
    }
}

fn warning<'a>(text: &'a ConsentText, redirect_uri: &RedirectUri) -> &'a str {
    if redirect_uri.is_loopback() {
        text.loopback_warning
    } else if redirect_uri.is_web() {
        text.web_warning
    } else {
        text.app_warning
    }
}

//! The markup of the page of keys, connections and calendar feeds. The script finds elements by `id` and `data-slot`,
//! and clones the templates.

use family_api_core::key::KeyMode;
use family_api_core::storage::Capabilities;
use family_api_core::{FamilyApi, paths};
use maud::{Markup, html};

use super::Pages;
use super::settings::{self, Settings};
use super::{feeds, zone};
use crate::html::text::{CreateText, KeysText, ProblemsText, sentence};
use crate::html::{AccessWords, View};

/// What the host mounts, which decides what the page explains.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each part can be mounted without the others")]
pub(crate) struct Features {
    pub(crate) api: FamilyApi,
    /// Whether the MCP endpoints are mounted, so that assistants can use a key.
    pub(crate) mcp: bool,
    /// Whether the route that ends all access is mounted.
    pub(crate) access: bool,
    /// Whether the routes of the connections are mounted.
    pub(crate) connections: bool,
    /// Whether the routes of the calendar feeds are mounted.
    pub(crate) feeds: bool,
    /// The path of the MCP endpoint to which assistants can connect without a key. `None` if they cannot.
    pub(crate) oauth: Option<&'static str>,
    /// The modes that a new key can have: those for which routes are mounted, without those that allow nothing more
    /// than a narrower one.
    pub(crate) modes: Vec<KeyMode>,
}

impl Features {
    /// Returns whether there is something that needs the personal API.
    fn has_personal_api(&self) -> bool {
        self.feeds || self.modes.iter().any(|mode| *mode != KeyMode::McpRead)
    }

    /// Returns whether a key can change anything.
    fn has_writes(&self) -> bool {
        self.modes.iter().any(|mode| matches!(mode, KeyMode::V1ReadWrite | KeyMode::V1Full))
    }

    fn app(&self) -> &Capabilities {
        self.api.capabilities()
    }

    /// Returns whether a key can read while the personal API is off.
    fn has_read_path(&self) -> bool {
        self.modes.contains(&KeyMode::McpRead)
    }
}

/// The expiry that is selected at first, in days.
const DEFAULT_EXPIRY: u16 = 90;

pub(super) fn keys(view: &View, pages: &Pages, features: &Features, sign_in: Option<&str>) -> Markup {
    let (text, shared) = (&view.text().keys, &view.text().shared);
    let deleted = pages.deleted.as_deref().map(|path| (path, view.text().deleted.name));
    html! {
        div #app data-root=(view.link("/")) data-profile=(view.link(paths::ME)) data-keys=(view.link(paths::KEYS))
            data-access=[features.access.then(|| view.link(paths::ACCESS))]
            data-connections=[features.connections.then(|| view.link(paths::CONNECTIONS))]
            data-feeds=[features.feeds.then(|| view.link(paths::CALENDAR_FEEDS))]
            data-feed-choices=[features.feeds.then(|| view.link(paths::CALENDAR_FEED_CHOICES))] data-sign-in=[sign_in] {
            (head(view, pages, view.text().layout.keys, deleted))
            noscript { p.note.error { (shared.needs_script) } }
            div #page-report aria-live="polite" {}
            div #content hidden {
                (access(view, features))
                @if features.connections { (connections(view, features)) }
                (list(text))
                (create(view, features))
                (created(text, features))
                @if features.feeds { (feeds::feeds(view, features.app())) }
                @if features.app().keeps_profile_field("timeZone") { (zone::zone(&text.zone)) }
            }
            p.muted #loading { (shared.loading) }
        }
        (confirm(text))
        (key_entry(text))
        @if features.connections { (connection_entry(text)) }
        @if features.feeds { (feeds::feed_entry(text)) }
        (texts(view, features))
    }
}

/// The title of a page, a link to the other page by its path and name, and the signed-in user.
pub(super) fn head(view: &View, pages: &Pages, title: &str, other: Option<(&str, &str)>) -> Markup {
    let text = &view.text().shared;
    html! {
        div.page-head {
            h1 { (title) }
            @if let Some((path, name)) = other {
                a href=(view.link(path)) { (name) }
            }
            div.who #who hidden {
                p { (text.signed_in_as) " " strong data-slot="name" dir="auto" {} " " span.muted data-slot="email" dir="auto" {} }
                @if let Some(url) = &pages.sign_out {
                    a href=(url) { (text.sign_out) }
                }
            }
        }
    }
}

/// The switch of the personal API, which says what it leaves, and the button that ends all access.
fn access(view: &View, features: &Features) -> Markup {
    let text = &view.text().keys;
    let (explanation, off) = if features.has_writes() {
        (text.api.explanation, text.api.off)
    } else if features.has_read_path() {
        (text.api.explanation_of_reads, text.api.off_for_reads)
    } else {
        (text.api.explanation_of_all_reads, text.api.off_for_all_reads)
    };
    let records = view.text().access.kept(features.app());
    html! {
        section.card aria-labelledby="access-title" {
            h2 #access-title tabindex="-1" { (text.api.title) }
            div #api hidden[!features.has_personal_api()] {
                p #api-explanation { (explanation) @if features.feeds { " " (text.feeds.switch) } }
                label.switch {
                    input #api-switch type="checkbox" role="switch" autocomplete="off"
                        aria-describedby="api-explanation api-state";
                    span { (text.api.switch) }
                }
                div #api-state {
                    p.hint #api-on hidden { (text.api.on) }
                    p.hint #api-off hidden { (off) }
                    @if features.has_read_path() {
                        p.hint { (sentence(text.api.still_reads, &[("{records}", &records)])) }
                    }
                }
            }
            @if features.access {
                button.danger #stop type="button" aria-describedby="stop-explanation" { (text.stop.button) }
                p.hint #stop-explanation { (text.stop.explanation) @if features.feeds { " " (text.feeds.stop) } }
            }
            div #access-report aria-live="polite" {}
        }
    }
}

fn list(text: &KeysText) -> Markup {
    html! {
        section.card aria-labelledby="keys-title" {
            h2 #keys-title tabindex="-1" { (text.list.title) }
            div #keys-report aria-live="polite" {}
            p.note.error #keys-failed role="alert" hidden { (text.list.failed) }
            p.muted #keys-empty hidden { (text.list.empty) }
            ul.entries #keys role="list" {}
        }
    }
}

fn create(view: &View, features: &Features) -> Markup {
    let create = &view.text().keys.create;
    html! {
        section.card #create-section aria-labelledby="create-title" {
            h2 #create-title tabindex="-1" { (create.title) }
            p { (create.explanation) }
            p.note.warning #prefilled hidden { (create.prefilled) }
            form #create autocomplete="off" {
                div.field {
                    label for="key-name" { (create.name) }
                    input #key-name name="name" maxlength="100" dir="auto" aria-describedby="key-name-hint";
                    p.hint #key-name-hint { (create.name_hint) }
                }
                fieldset {
                    legend { (create.mode) }
                    @for mode in &features.modes {
                        label.choice {
                            input type="radio" name="mode" value=(mode.as_str()) required;
                            span {
                                (in_words(view, features, *mode).render())
                                @if *mode == KeyMode::McpRead { small { (create.works_while_off) } }
                            }
                        }
                    }
                    p.note.warning #api-is-off hidden { (create.api_is_off) }
                }
                div.field {
                    label for="key-expiry" { (create.expires) }
                    select #key-expiry name="days" { (expiry_options(create, DEFAULT_EXPIRY)) }
                }
                div #create-report aria-live="polite" {}
                button.primary type="submit" { (create.submit) }
            }
        }
    }
}

/// The choices of how long a key or a feed works, in days. 0 is without an end.
pub(super) fn expiry_options(text: &CreateText, selected: u16) -> Markup {
    let expiries = [(7, text.week), (30, text.month), (90, text.quarter), (365, text.year), (0, text.never)];
    html! {
        @for (days, label) in expiries { option value=(days) selected[days == selected] { (label) } }
    }
}

fn created(text: &KeysText, features: &Features) -> Markup {
    let app = features.app();
    let (terminal, home_assistant) = (settings::of_terminal(app), settings::of_home_assistant(app));
    html! {
        section.card.new-key #created hidden aria-labelledby="created-title" {
            h2 #created-title tabindex="-1" { (text.created.title) }
            p.note.warning { (text.created.once) }
            div.copyable {
                code #new-key dir="ltr" data-copy {}
                (copy_button(text, text.created.title))
            }
            div #created-report aria-live="polite" {}
            details.programs {
                summary { (text.created.programs) }
                p.muted { (text.created.secret) }
                @if let Some(terminal) = terminal { (program(text, &terminal)) }
                @if features.mcp {
                    @for assistant in settings::of_assistants() { (program(text, &assistant)) }
                }
                @if let Some(home_assistant) = home_assistant { (program(text, &home_assistant)) }
            }
            p.actions { button #done type="button" { (text.created.done) } }
        }
    }
}

fn program(text: &KeysText, settings: &Settings) -> Markup {
    html! {
        @let program = settings.program.unwrap_or(text.created.terminal);
        details name="settings" {
            summary { (program) }
            @if let Some(file) = settings.file {
                p.hint { (text.created.add_to) " " code dir="ltr" { (file) } }
            }
            div.copyable {
                pre data-copy data-settings dir="ltr" { (settings.text) }
                (copy_button(text, program))
            }
        }
    }
}

/// A button that copies the text beside it. Screen readers also announce what it copies.
pub(super) fn copy_button(text: &KeysText, subject: &str) -> Markup {
    let label = format!("{}: {subject}", text.created.copy);
    html! { button type="button" data-action="copy" aria-label=(label) { (text.created.copy) } }
}

fn connections(view: &View, features: &Features) -> Markup {
    let KeysText { connections: text, list, .. } = &view.text().keys;
    html! {
        section.card #connections-section aria-labelledby="connections-title" hidden[features.oauth.is_none()] {
            h2 #connections-title tabindex="-1" { (text.title) }
            p { (text.explanation) }
            div #connections-report aria-live="polite" {}
            p.note.error #connections-failed role="alert" hidden { (list.failed) }
            p.muted #connections-empty hidden { (text.empty) }
            ul.entries #connections role="list" {}
            div.note.error #misused hidden {
                p { (text.misused) }
                ul #misused-list {}
            }
            template #misused-entry { li { bdi data-slot="name" { (text.unnamed) } ", " time data-slot="ended" {} } }
            @if let Some(path) = features.oauth {
                p { (text.address) }
                div.copyable {
                    code dir="ltr" data-copy data-address=(view.link(path)) {}
                    (copy_button(&view.text().keys, text.title))
                }
            }
        }
    }
}

fn confirm(text: &KeysText) -> Markup {
    html! {
        dialog #confirm aria-labelledby="confirm-title" aria-describedby="confirm-effect" {
            h2 #confirm-title dir="auto" {}
            p #confirm-effect {}
            div.actions {
                button type="button" value="no" autofocus { (text.confirm.cancel) }
                button.danger #confirm-yes type="button" value="yes" {}
            }
        }
    }
}

/// The template of a key in the list.
fn key_entry(text: &KeysText) -> Markup {
    html! {
        template #key-entry {
            li.entry {
                div.entry-head {
                    h3 data-slot="name" dir="auto" { (text.list.unnamed) }
                    span.badge data-slot="unused" hidden { (text.list.unused) }
                }
                p data-slot="mode" {}
                dl.facts {
                    div { dt { (text.list.key) } dd { code dir="ltr" data-slot="hint" {} } }
                    div { dt { (text.list.created) } dd { time data-slot="created" {} } }
                    div { dt { (text.list.expires) } dd { time data-slot="expires" { (text.list.never_expires) } } }
                    div { dt { (text.list.last_used) } dd { time data-slot="used" { (text.list.never_used) } } }
                }
                button.danger type="button" data-slot="end" { (text.list.revoke) }
            }
        }
    }
}

/// The template of a connection in the list.
fn connection_entry(text: &KeysText) -> Markup {
    html! {
        template #connection-entry {
            li.entry {
                div.entry-head {
                    h3 data-slot="name" dir="auto" { (text.connections.unnamed) }
                    span.badge data-slot="unused" hidden { (text.list.unused) }
                }
                p data-slot="mode" {}
                dl.facts {
                    div { dt { (text.connections.host) } dd { bdi data-slot="host" {} } }
                    div { dt { (text.connections.connected) } dd { time data-slot="created" {} } }
                    div { dt { (text.list.last_used) } dd { time data-slot="used" { (text.list.never_used) } } }
                }
                button.danger type="button" data-slot="end" { (text.connections.disconnect) }
            }
        }
    }
}

/// The texts that the script shows.
fn texts(view: &View, features: &Features) -> Markup {
    let (text, problems) = (&view.text().keys, &view.text().shared.problems);
    let of_feeds = |name| match name {
        "stop_effect" if features.feeds => Some(text.feeds.stop),
        "stopped" if features.feeds => Some(text.feeds.stopped),
        _ => None,
    };
    html! {
        template #texts {
            @for mode in KeyMode::ALL {
                p data-text=(mode.as_str()) { (in_words(view, features, mode).name()) }
            }
            @for (name, text) in problems.of_calls().into_iter().chain(outcomes(text, problems)) {
                p data-text=(name) { (text) @if let Some(more) = of_feeds(name) { " " (more) } }
            }
            @if features.feeds {
                @for (name, text) in feeds::texts(&text.feeds) { p data-text=(name) { (text) } }
            }
        }
    }
}

fn in_words<'a>(view: &View, features: &'a Features, mode: KeyMode) -> AccessWords<'a> {
    AccessWords { text: &view.text().access, app: features.app(), mode, scopes: mode.scopes() }
}

fn outcomes(text: &KeysText, problems: &ProblemsText) -> [(&'static str, &'static str); 17] {
    [
        ("other_mode", text.list.other_access),
        ("this_device", text.connections.this_device),
        ("sign_in", problems.sign_in),
        ("switched_on", text.api.switched_on),
        ("switched_off", text.api.switched_off),
        ("stop", text.stop.question),
        ("stop_effect", text.stop.effect),
        ("stopped", text.stop.stopped),
        ("revoked", text.list.revoked),
        ("disconnected", text.connections.disconnected),
        ("copied", text.created.copied),
        ("copy_failed", text.created.copy_failed),
        ("zone_saved", text.zone.saved),
        ("revoke", text.confirm.revoke),
        ("revoke_effect", text.confirm.revoke_effect),
        ("disconnect", text.confirm.disconnect),
        ("disconnect_effect", text.confirm.disconnect_effect),
    ]
}

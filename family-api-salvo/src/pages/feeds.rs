//! The calendar feeds, on the page of keys and connections.

use family_api_core::resource::RecordKind;
use family_api_core::storage::Capabilities;
use maud::{Markup, html};

use super::keys::{copy_button, expiry_options};
use crate::html::View;
use crate::html::text::{CreateFeedText, FeedsText, KeysText};

/// Adds a feed to the user's Google Calendar. The address of the feed follows.
const GOOGLE: &str = "https://calendar.google.com/calendar/r?cid=";

pub(super) fn feeds(view: &View, app: &Capabilities) -> Markup {
    let text = &view.text().keys;
    html! {
        (list(text))
        (create(text, app))
        (created(text))
    }
}

fn list(text: &KeysText) -> Markup {
    let KeysText { feeds: FeedsText { list: feeds, .. }, list, .. } = text;
    html! {
        section.card aria-labelledby="feeds-title" {
            h2 #feeds-title tabindex="-1" { (feeds.title) }
            p { (feeds.explanation) }
            p.note.warning #feeds-off hidden { (feeds.api_is_off) }
            div #feeds-report aria-live="polite" {}
            p.note.error #feeds-failed role="alert" hidden { (list.failed) }
            p.muted #feeds-empty hidden { (feeds.empty) }
            ul.entries #feeds role="list" {}
        }
    }
}

fn create(text: &KeysText, app: &Capabilities) -> Markup {
    let KeysText { feeds: FeedsText { create: feeds, .. }, create, .. } = text;
    html! {
        section.card #create-feed-section aria-labelledby="create-feed-title" {
            h2 #create-feed-title tabindex="-1" { (feeds.title) }
            p.note.warning #feed-prefilled hidden { (create.prefilled) }
            form #create-feed autocomplete="off" {
                div.field {
                    label for="feed-name" { (feeds.name) }
                    input #feed-name name="name" required maxlength="100" dir="auto" aria-describedby="feed-name-hint";
                    p.hint #feed-name-hint { (feeds.name_hint) }
                }
                div.field {
                    label for="feed-shows" { (feeds.shows) }
                    select #feed-shows name="shows" {
                        @for (value, label) in shows(feeds, app) { option value=(value) { (label) } }
                    }
                }
                div.field {
                    label for="feed-detail" { (feeds.detail) }
                    select #feed-detail name="detail" {
                        @for (value, label) in details(feeds) { option value=(value) { (label) } }
                    }
                }
                (limit("feed-persons", feeds.persons, feeds.every_person))
                (limit("feed-boards", feeds.boards, feeds.every_board))
                div.field {
                    label for="feed-expiry" { (feeds.expires) }
                    select #feed-expiry name="days" { (expiry_options(create, 0)) }
                }
                div #create-feed-report aria-live="polite" {}
                button.primary type="submit" { (feeds.submit) }
            }
        }
    }
}

/// The members or the boards that a feed can be limited to. The script fills them in.
fn limit(id: &str, legend: &str, without: &str) -> Markup {
    html! {
        fieldset id=(id) aria-describedby={ (id) "-hint" } hidden {
            legend { (legend) }
            p.hint id={ (id) "-hint" } { (without) }
            div.choices {}
        }
    }
}

/// The choices of what a feed shows: what the app keeps.
fn shows<'t>(text: &'t CreateFeedText, app: &Capabilities) -> Vec<(&'static str, &'t str)> {
    let events = app.keeps_kind(RecordKind::Event);
    let tasks = app.keeps_kind(RecordKind::Task) && app.keeps_field(RecordKind::Task, "dueDate");
    let choices = [("events", text.events, events), ("tasks", text.tasks, tasks), ("both", text.both, events && tasks)];
    choices.into_iter().filter(|(.., offered)| *offered).map(|(value, label, _)| (value, label)).collect()
}

fn details(text: &CreateFeedText) -> [(&'static str, &'static str); 2] {
    [("full", text.full), ("busy", text.busy)]
}

/// The address of a new feed. The script fills it in, and draws the code.
fn created(text: &KeysText) -> Markup {
    let feeds = &text.feeds.created;
    html! {
        section.card.new-key #created-feed hidden aria-labelledby="created-feed-title" {
            h2 #created-feed-title tabindex="-1" { (feeds.title) }
            p.note.warning { (feeds.once) }
            div.actions {
                a.button.primary #feed-device { (feeds.device) }
                a.button #feed-google data-base=(GOOGLE) target="_blank" rel="noopener noreferrer"
                    aria-describedby="feed-google-hint" { (feeds.google) }
            }
            p.hint #feed-google-hint { (feeds.google_hint) }
            p { (feeds.scan) }
            svg.scannable #feed-code role="img" aria-label=(feeds.code) { path {} }
            p { (feeds.copy) }
            div.copyable {
                code #new-feed dir="ltr" data-copy {}
                (copy_button(text, feeds.title))
            }
            div #created-feed-report aria-live="polite" {}
            p.actions { button #feed-done type="button" { (feeds.done) } }
        }
    }
}

/// The template of a feed in the list.
pub(super) fn feed_entry(text: &KeysText) -> Markup {
    let KeysText { feeds: FeedsText { list: feeds, .. }, list, .. } = text;
    html! {
        template #feed-choice { label.choice { input type="checkbox"; span dir="auto" {} } }
        template #feed-entry {
            li.entry {
                div.entry-head {
                    h3 data-slot="name" dir="auto" {}
                    span.badge data-slot="unused" hidden { (list.unused) }
                }
                p data-slot="mode" {}
                dl.facts {
                    div { dt { (list.key) } dd { code dir="ltr" data-slot="hint" {} } }
                    div { dt { (list.created) } dd { time data-slot="created" {} } }
                    div { dt { (list.expires) } dd { time data-slot="expires" { (list.never_expires) } } }
                    div { dt { (list.last_used) } dd { time data-slot="used" { (list.never_used) } } }
                    div hidden { dt { (feeds.left_out) } dd data-slot="left-out" {} }
                }
                button.danger type="button" data-slot="end" { (feeds.end) }
            }
        }
    }
}

/// The texts that the script shows.
pub(super) fn texts(text: &FeedsText) -> impl Iterator<Item = (&'static str, &'static str)> {
    let FeedsText { list, create, .. } = text;
    [
        ("events", create.events),
        ("tasks", create.tasks),
        ("both", create.both),
        ("limited", list.limited),
        ("filtered", list.filtered),
        ("end_feed", list.question),
        ("end_feed_effect", list.effect),
        ("feed_ended", list.ended),
        ("feed_maybe_created", create.maybe_created),
        ("feed_limit_reached", create.limit_reached),
        ("feed_needs_api", list.api_is_off),
        ("feed_needs_family", create.no_family),
    ]
    .into_iter()
    .chain(details(create))
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::ResourceKind;

    use super::*;
    use crate::html::Language;
    use crate::html::text::Text;

    #[test]
    fn the_form_offers_what_the_app_keeps() {
        let text = &Text::of(Language::English).keys.feeds.create;
        let offered = |app: &Capabilities| shows(text, app).into_iter().map(|(value, _)| value).collect::<Vec<_>>();
        let all = Capabilities::all();
        assert_eq!(offered(&all), ["events", "tasks", "both"]);
        assert_eq!(offered(&all.clone().without_field(RecordKind::Task, "dueDate")), ["events"]);
        assert_eq!(offered(&all.clone().without_resource(ResourceKind::Events)), ["tasks"]);
        assert_eq!(offered(&all.without_resource(ResourceKind::Tasks)), ["events"]);
    }
}

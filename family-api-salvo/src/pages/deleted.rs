//! The markup of the page of deleted records. The script finds elements by `id` and `data-slot`, and clones the
//! template.

use family_api_core::paths;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use maud::{Markup, html};

use super::Pages;
use super::keys::head;
use crate::html::View;
use crate::html::text::{DeletedText, ProblemsText, sentence};

pub(super) fn deleted(view: &View, pages: &Pages, app: &Capabilities, sign_in: Option<&str>) -> Markup {
    let text = &view.text().deleted;
    let shared = &view.text().shared;
    let records = view.text().access.restorable(app);
    // The script replaces the id.
    let restore = |kind: RecordKind| view.link(&kind.paths().operation_in(paths::SESSION, Verb::Restore, "{id}"));
    html! {
        div #app data-profile=(view.link(paths::ME)) data-deleted=(view.link(paths::DELETED)) data-sign-in=[sign_in]
            data-task=(restore(RecordKind::Task)) data-note=(restore(RecordKind::Note))
            data-event=(restore(RecordKind::Event)) data-shopping_item=(restore(RecordKind::ShoppingItem)) {
            (head(view, pages, text.name, Some((&pages.path, view.text().layout.keys))))
            noscript { p.note.error { (shared.needs_script) } }
            div #page-report aria-live="polite" {}
            section.card #content aria-labelledby="deleted-title" hidden {
                h2 #deleted-title tabindex="-1" { (text.title) }
                p { (sentence(text.explanation, &[("{records}", &records)])) }
                div #deleted-report aria-live="polite" {}
                p.muted #empty hidden { (text.empty) }
                ul.entries #records role="list" {}
                button #more type="button" hidden { (text.more) }
            }
            p.muted #loading { (shared.loading) }
        }
        (entry(text))
        template #texts {
            @for (kind, name) in kinds(text).into_iter().filter(|(kind, _)| app.supports(*kind, Verb::Restore)) {
                p data-text=(kind.as_str()) { (name) }
            }
            @for (name, text) in texts(text, &shared.problems) {
                p data-text=(name) { (text) }
            }
        }
    }
}

/// The template of a record in the list.
fn entry(text: &DeletedText) -> Markup {
    html! {
        template #entry {
            li.entry {
                h3 data-slot="title" dir="auto" { (text.untitled) }
                p data-slot="kind" {}
                dl.facts {
                    div { dt { (text.deleted) } dd { time data-slot="deleted" {} } }
                    div { dt { (text.until) } dd { time data-slot="until" {} } }
                }
                button type="button" data-slot="restore" { (text.bring_back) }
            }
        }
    }
}

/// Returns the names of the kinds of records that an app can restore.
fn kinds(text: &DeletedText) -> [(RecordKind, &'static str); 4] {
    [
        (RecordKind::Task, text.task),
        (RecordKind::Note, text.note),
        (RecordKind::Event, text.event),
        (RecordKind::ShoppingItem, text.shopping_item),
    ]
}

/// Returns the other texts that the script shows, by name.
fn texts(text: &DeletedText, problems: &ProblemsText) -> [(&'static str, &'static str); 12] {
    [
        ("brought_back", text.brought_back),
        ("no_family", text.no_family),
        ("signed_out", text.signed_out),
        ("not_found", text.not_found),
        ("limit_reached", text.limit_reached),
        ("sign_in", problems.sign_in),
        ("network", problems.network),
        ("cross_site", problems.cross_site),
        ("invalid", problems.invalid),
        ("rate_limited", problems.rate_limited),
        ("unavailable", problems.unavailable),
        ("unexpected", problems.unexpected),
    ]
}

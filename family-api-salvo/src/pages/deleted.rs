//! The markup of the page of deleted records. The script finds elements by `id` and `data-slot`, and clones the
//! template.

use family_api_core::paths;
use family_api_core::resource::{RecordKind, Verb};
use maud::{Markup, html};

use super::Pages;
use super::keys::head;
use crate::html::View;
use crate::html::text::{DeletedText, ProblemsText};

pub(super) fn deleted(view: &View, pages: &Pages, sign_in: Option<&str>) -> Markup {
    let text = &view.text().deleted;
    let shared = &view.text().shared;
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
                p { (text.explanation) }
                div #deleted-report aria-live="polite" {}
                p.muted #empty hidden { (text.empty) }
                ul.entries #records role="list" {}
                button #more type="button" hidden { (text.more) }
            }
            p.muted #loading { (shared.loading) }
        }
        (entry(text))
        template #texts {
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

/// Returns the texts that the script shows, by name.
fn texts(text: &DeletedText, problems: &ProblemsText) -> [(&'static str, &'static str); 16] {
    [
        (RecordKind::Task.as_str(), text.task),
        (RecordKind::Note.as_str(), text.note),
        (RecordKind::Event.as_str(), text.event),
        (RecordKind::ShoppingItem.as_str(), text.shopping_item),
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

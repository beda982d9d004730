//! The card of the time zone, on the page of keys.

use maud::{Markup, html};

use crate::html::text::ZoneText;

/// The script adds the time zones that the browser knows.
pub(super) fn zone(text: &ZoneText) -> Markup {
    html! {
        section.card aria-labelledby="zone-title" {
            h2 #zone-title tabindex="-1" { (text.title) }
            p #zone-explanation { (text.explanation) }
            form #zone autocomplete="off" {
                div.field {
                    select name="zone" dir="ltr" aria-labelledby="zone-title" aria-describedby="zone-explanation" {}
                }
                div #zone-report aria-live="polite" {}
                div.actions {
                    button.primary type="submit" { (text.save) }
                    button #zone-of-device type="button" { (text.device) }
                }
            }
        }
    }
}

//! An excerpt of a text, around a match.

use std::ops::Range;

/// Number of characters of a snippet before the match.
const LEAD: usize = 40;

/// Maximum number of characters of a snippet, without the ellipses.
const MAX_CHARS: usize = 160;

/// Returns the part of a text around a match, or its beginning without a match, in one line. `…` marks text that was
/// left out.
pub(super) fn snippet(text: &str, found: Option<Range<usize>>) -> String {
    let match_start = found.map_or(0, |range| range.start);
    let lead = text.get(..match_start).unwrap_or_default();
    let start = lead.char_indices().rev().take(LEAD).last().map_or(match_start, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(MAX_CHARS).map_or(rest.len(), |(at, _)| at);
    let excerpt = rest.get(..end).unwrap_or_default();
    let words: Vec<&str> = excerpt.split_whitespace().collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if end < rest.len() { "…" } else { "" };
    format!("{before}{}{after}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_returned_whole_in_one_line() {
        assert_eq!(snippet("one\n\n two", None), "one two");
        assert_eq!(snippet("one two", Some(4..7)), "one two");
        assert_eq!(snippet("", None), "");
    }

    #[test]
    fn a_long_text_is_cut_around_the_match() {
        let text = format!("{}needle{}", "é".repeat(500), "ü".repeat(500));
        let found = text.find("needle").map(|at| at..at + 6);
        let short = snippet(&text, found);
        assert!(short.starts_with(&format!("…{}needle", "é".repeat(LEAD))), "{short}");
        assert!(short.ends_with("ü…"), "{short}");
        assert_eq!(short.chars().count(), MAX_CHARS + 2);
        let beginning = snippet(&text, None);
        assert!(beginning.starts_with('é') && beginning.ends_with("é…"), "{beginning}");
    }
}

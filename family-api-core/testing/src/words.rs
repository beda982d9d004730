//! Finds words of programmers in pages that families read.

/// The beginnings of these words, in small letters, in all languages of the pages.
const WORDS: [&str; 15] = [
    "api",
    "mcp",
    "oauth",
    "openapi",
    "json",
    "http",
    "endpoint",
    "endpunkt",
    "кінцев",
    "token",
    "токен",
    "scope",
    "client",
    "cliente",
    "клієнт",
];

/// The beginnings of the parts for programs. They are closed when the page is opened.
const PROGRAMS: [&str; 2] = ["<details class=\"programs\">", "<details class=\"card programs\">"];

/// Returns the words of programmers in the texts of a page, outside of code and of the parts for programs.
#[must_use]
pub fn programmers_words(page: &str) -> Vec<&'static str> {
    let page = without(&without(page, "<code", "</code>"), "<pre", "</pre>");
    let page = PROGRAMS.into_iter().fold(page, |page, start| without(&page, start, "</details>"));
    let text = without(&page, "<", ">").to_lowercase();
    let is_used = |word: &&str| text.split(|char: char| !char.is_alphanumeric()).any(|used| used.starts_with(word));
    WORDS.into_iter().filter(is_used).collect()
}

/// Replaces everything from each start to the next end by a blank.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + " " + part.split_once(end).map_or("", |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_texts_for_families_count() {
        assert_eq!(programmers_words("<p class=\"api\">Your <code>token</code> <b>key</b></p>"), [""; 0]);
        assert_eq!(programmers_words("<details class=\"programs\">API<p>MCP</p></details><p>Scopes"), ["scope"]);
        assert_eq!(programmers_words("<p>Die persönliche API, MCP-Endpunkte</p>"), ["api", "mcp", "endpunkt"]);
        assert_eq!(programmers_words("<p>clientes"), ["client", "cliente"]);
    }
}

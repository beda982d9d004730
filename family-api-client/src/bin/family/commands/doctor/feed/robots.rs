//! Checks `robots.txt` (RFC 9309). Google Calendar can ask it before it reads a feed.

use family_api_client::reqwest::header::LOCATION;

use super::FeedAddress;
use crate::commands::doctor::probe::{Answer, Probe};
use crate::commands::doctor::report::Check;

const PATH: &str = "/robots.txt";
/// The names under which Google reads a feed.
const READERS: [&str; 2] = ["Google-Calendar-Importer", "Googlebot"];

pub(crate) async fn check(feed: &FeedAddress, probe: &Probe) -> Check {
    match probe.get(&format!("{}{PATH}", feed.service.origin())).await {
        Ok(answer) => judge(&answer, &feed.path()),
        Err(cause) => {
            Check::warning(PATH, format!("cannot be read ({cause}): calendar services may then read nothing"))
        }
    }
}

fn judge(answer: &Answer, path: &str) -> Check {
    match answer.status {
        200 => judge_text(&answer.text(), path),
        // Crawlers then read everything (section 2.3.1.3).
        400..=499 => Check::ok(PATH, "there is none, so everything may be read"),
        300..=399 => Check::warning(
            PATH,
            format!(
                "redirects to {}: answer with the file, or with 404",
                answer.header(LOCATION).unwrap_or("no address")
            ),
        ),
        status => Check::warning(
            PATH,
            format!("answers with {status}, so calendar services may read nothing: answer with the file, or with 404"),
        ),
    }
}

fn judge_text(text: &str, path: &str) -> Check {
    match READERS.into_iter().find(|reader| !permits(text, reader, path)) {
        None => Check::ok(PATH, "permits the feed"),
        Some(reader) => Check::warning(
            PATH,
            format!(
                "forbids the feed to {reader}, so Google Calendar may refuse it: add the line `Allow: /calendar/`. The \
                 header X-Robots-Tag keeps the feed out of search engines"
            ),
        ),
    }
}

/// Returns whether the rules permit a reader to read a path. The longest pattern decides, and `Allow` among equal ones.
fn permits(text: &str, reader: &str, path: &str) -> bool {
    let groups = groups(text);
    let names_reader = |group: &&Group<'_>| group.readers.iter().any(|name| name.eq_ignore_ascii_case(reader));
    let mut rules: Vec<&Rule<'_>> = groups.iter().filter(names_reader).flat_map(|group| &group.rules).collect();
    if !groups.iter().any(|group| names_reader(&group)) {
        rules = groups.iter().filter(|group| group.readers.contains(&"*")).flat_map(|group| &group.rules).collect();
    }
    let matching = rules.into_iter().filter(|rule| matches(rule.pattern, path));
    matching.max_by_key(|rule| (rule.pattern.len(), rule.is_allowed)).is_none_or(|rule| rule.is_allowed)
}

/// The rules for some readers.
#[derive(Default)]
struct Group<'a> {
    readers: Vec<&'a str>,
    rules: Vec<Rule<'a>>,
}

struct Rule<'a> {
    is_allowed: bool,
    pattern: &'a str,
}

fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match (name.trim().to_ascii_lowercase().as_str(), groups.last_mut()) {
            ("user-agent", Some(group)) if group.rules.is_empty() => group.readers.push(value),
            ("user-agent", _) => groups.push(Group { readers: vec![value], ..Group::default() }),
            (name @ ("allow" | "disallow"), Some(group)) => {
                group.rules.push(Rule { is_allowed: name == "allow", pattern: value });
            }
            _ => {}
        }
    }
    groups
}

/// Returns whether a pattern matches the beginning of a path. `*` stands for any characters, and `$` at the end for the
/// end of the path. An empty pattern matches nothing.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let (first, others) = pattern.split_once('*').map_or((pattern, None), |(first, others)| (first, Some(others)));
    let Some(mut rest) = path.strip_prefix(first).filter(|_| !pattern.is_empty()) else { return false };
    let Some(others) = others else { return !is_whole || rest.is_empty() };
    let (middle, last) = others.rsplit_once('*').unwrap_or(("", others));
    for part in middle.split('*') {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    if is_whole { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEED: &str = "/calendar/famcal_x.ics";

    #[test]
    fn the_longest_matching_pattern_decides() {
        for (rules, expected) in [
            ("", true),
            ("Disallow:", true),
            ("Disallow: /", false),
            ("Disallow: /calendar/", false),
            ("Disallow: /calendar/other", true),
            ("Disallow: /\nAllow: /calendar/", true),
            ("Allow: /calendar/\nDisallow: /calendar/", true),
            ("Allow: /\nDisallow: /calendar/ # secret", false),
            ("Disallow: /*.ics$", false),
            ("Disallow: /*.ic$", true),
            ("Disallow: /calendar/famcal_x.ics$", false),
            ("Disallow: /calendar$", true),
            ("Disallow: *", false),
            ("Disallow: /*/famcal_*.ics", false),
            ("Disallow: /*/famcal_*/*.ics", true),
            ("disallow : /cal", false),
        ] {
            assert_eq!(permits(&format!("User-agent: *\n{rules}\n"), READERS[0], FEED), expected, "{rules}");
        }
    }

    #[test]
    fn the_group_of_a_reader_replaces_that_of_all() {
        let text =
            "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: google-calendar-importer\nDisallow: /x\n";
        assert!(permits(text, READERS[0], FEED));
        assert!(!permits(text, READERS[1], FEED));
        assert!(permits("User-agent: other\nDisallow: /\n", READERS[1], FEED));
        let split = "User-agent: Googlebot\nAllow: /\nUser-agent: Googlebot\nDisallow: /calendar/\n";
        assert!(!permits(split, READERS[1], FEED));
    }
}

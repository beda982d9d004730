//! One spelling for each path (HTTP reference, "Base URL and paths").

use salvo::routing::PathState;
use salvo::{Request, Router};

use crate::route::Route;

/// The spelling of the paths of a route, as a template: `/api/v1/tasks/{id}`.
///
/// The framework routes by decoded segments and skips empty ones, so that it takes `/%61pi//v1/me/` for `/api/v1/me`. A
/// proxy in front, whose rules are for raw paths, does not. This decides on the raw path, beside the framework's filter.
#[derive(Debug, Clone)]
pub(crate) struct Spelling {
    template: String,
    encoded: Encoded,
    slash: Slash,
}

/// Which parameters may be percent-encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoded {
    /// `{id}` alone: the others have values that are listed, and need no encoding.
    Id,
    /// Every one: a host knows what it takes.
    Any,
}

/// Whether the path may end in a slash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slash {
    Refused,
    /// A page has its files below its path.
    Page,
}

impl Spelling {
    /// Returns the spelling of a route of this API.
    pub(crate) fn of_route(route: &Route) -> Self {
        let slash = if route.is_page() { Slash::Page } else { Slash::Refused };
        Self { template: route.path.to_owned(), encoded: Encoded::Id, slash }
    }

    /// Returns the spelling of a path of the host.
    pub(crate) fn of_host(path: &str) -> Self {
        Self { template: path.to_owned(), encoded: Encoded::Any, slash: Slash::Refused }
    }

    /// Restricts a router to requests whose raw path is spelled so; to others it is not there.
    pub(crate) fn restrict(self, router: Router) -> Router {
        router.filter_fn(move |req: &mut Request, _: &mut PathState<'_>| self.matches(req.uri().path()))
    }

    /// Tells whether a raw path is spelled so, below whatever prefix the router stands under.
    fn matches(&self, raw: &str) -> bool {
        let raw = if self.slash == Slash::Page { raw.strip_suffix('/').unwrap_or(raw) } else { raw };
        let template = self.template.trim_matches('/');
        // A wildcard takes any number of segments, and a pattern may hold slashes of its own: the host decides.
        if template.contains(['*', '|']) {
            return true;
        }
        let Some(path) = raw.strip_prefix('/') else {
            return false;
        };
        if path.is_empty() {
            return template.is_empty();
        }
        let mut segments = path.rsplit('/');
        let ends_so = template.is_empty()
            || template.rsplit('/').all(|part| segments.next().is_some_and(|segment| self.takes(part, segment)));
        ends_so && !path.split('/').any(str::is_empty)
    }

    fn takes(&self, part: &str, segment: &str) -> bool {
        if !part.contains('{') {
            return segment == part;
        }
        self.encoded == Encoded::Any || part == "{id}" || !segment.contains('%')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(template: &str, encoded: Encoded, slash: Slash, raw: &str) -> bool {
        Spelling { template: template.to_owned(), encoded, slash }.matches(raw)
    }

    #[test]
    fn a_path_has_one_spelling_below_any_prefix() {
        for (template, spelled, others) in [
            (
                "/a/me",
                vec!["/a/me", "/x/a/me", "/x%20y/a/me"],
                vec!["/a/me/", "//a/me", "/a//me", "/%61/me", "/me", "a/me"],
            ),
            ("/n/{id}", vec!["/n/x", "/n/%78", "/n/%2f"], vec!["/n/", "/n", "/n/x/", "/%6e/x", "/n//x"]),
            ("/r/{kind}", vec!["/r/x"], vec!["/r/%78", "/r/x/"]),
            ("", vec!["/", "/x"], vec!["//", "/x/", "", "*"]),
            ("login", vec!["/login"], vec!["/login/", "//login", "/%6cogin"]),
        ] {
            for raw in spelled {
                assert!(matches(template, Encoded::Id, Slash::Refused, raw), "{template} {raw}");
            }
            for raw in others {
                assert!(!matches(template, Encoded::Id, Slash::Refused, raw), "{template} {raw}");
            }
        }
    }

    #[test]
    fn a_page_has_a_slash_at_its_end_or_none() {
        for (raw, taken) in [("/docs", true), ("/docs/", true), ("/docs//", false), ("//docs/", false), ("/", false)] {
            assert_eq!(matches("/docs", Encoded::Id, Slash::Page, raw), taken, "{raw}");
        }
    }

    #[test]
    fn a_host_decides_on_its_parameters_and_wildcards() {
        for (template, raw) in [("u/{name}", "/u/J%C3%BCrgen"), ("f/{**rest}", "/f/a//b/"), (r"{d|\d+}", "/%37")] {
            assert!(matches(template, Encoded::Any, Slash::Refused, raw), "{raw}");
        }
    }
}

//! Query strings of the resources (HTTP reference, "Reads").

use std::borrow::Cow;

use family_api_core::calendar::parse_date;
use family_api_core::resource::{ReadQuery, ResourceKind, TaskFilter};
use jiff::civil::Date;

/// Checks that every resource parses a query as the HTTP reference says, and that a parsed query serializes to a query
/// with the same result.
pub fn query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for resource in ResourceKind::ALL {
        let parsed = ReadQuery::parse(resource, text);
        assert_eq!(parsed.as_ref().ok(), expected(resource, text).as_ref(), "{} {text:?}", resource.as_str());
        match parsed {
            Ok(query) => check_accepted(resource, text, &query),
            Err(invalid) => assert!(matches!(invalid.parameter, "from" | "to" | "expand" | "completed"), "{invalid:?}"),
        }
    }
}

fn check_accepted(resource: ResourceKind, text: &str, query: &ReadQuery) {
    assert_eq!(ReadQuery::parse(resource, &serialize(query)).ok().as_ref(), Some(query));
    for ignored in [format!("{text}&=&other=1"), format!("From=x&completed[]=2&{text}")] {
        assert_eq!(ReadQuery::parse(resource, &ignored).ok().as_ref(), Some(query), "{ignored:?}");
    }
}

fn serialize(query: &ReadQuery) -> String {
    let day = |name: &str, day: Option<Date>| day.map(|day| format!("{name}={day}")).unwrap_or_default();
    match query {
        ReadQuery::Tasks(filter) => filter.as_str().map(|value| format!("completed={value}")).unwrap_or_default(),
        ReadQuery::Events { from, to } => format!("{}&{}", day("from", *from), day("to", *to)),
        ReadQuery::Occurrences { from, to } => format!("to={to}&expand=true&from={from}"),
        ReadQuery::Shopping | ReadQuery::Notes | ReadQuery::TaskStats => String::new(),
    }
}

/// Returns the query that the HTTP reference defines for the text, or `None` if the text is invalid.
fn expected(resource: ResourceKind, text: &str) -> Option<ReadQuery> {
    let pairs: Vec<(Cow<str>, Cow<str>)> = form_urlencoded::parse(text.as_bytes()).collect();
    let values =
        |name: &str| -> Vec<&str> { pairs.iter().filter(|pair| pair.0 == name).map(|pair| &*pair.1).collect() };
    let day = |name: &str| match values(name)[..] {
        [] => Some(None),
        [value] => parse_date(value).map(Some),
        _ => None,
    };
    Some(match resource {
        ResourceKind::Tasks => ReadQuery::Tasks(match values("completed")[..] {
            [] | ["false"] => TaskFilter::Open,
            ["true"] => TaskFilter::Done,
            ["all"] => TaskFilter::All,
            _ => return None,
        }),
        ResourceKind::Events => match (day("from")?, day("to")?, &values("expand")[..]) {
            (Some(from), Some(to), _) if from > to => return None,
            (from, to, [] | ["false"]) => ReadQuery::Events { from, to },
            (Some(from), Some(to), ["true"]) if (to - from).get_days() < 366 => ReadQuery::Occurrences { from, to },
            _ => return None,
        },
        ResourceKind::Shopping => ReadQuery::Shopping,
        ResourceKind::Notes => ReadQuery::Notes,
        ResourceKind::TaskStats => ReadQuery::TaskStats,
    })
}

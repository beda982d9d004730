//! A page of the deleted records that a user can restore.

use crate::query::PageRequest;
use crate::resource::{InvalidQuery, RecordKind, find_single};

/// The query of a list of deleted records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RestorablePageRequest {
    /// Only the records of this kind.
    pub kind: Option<RecordKind>,
    /// The page.
    pub page: PageRequest,
}

impl RestorablePageRequest {
    /// Parses the query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice. The list checks whether the cursor is one of
    /// its own.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        Ok(Self { kind: parse_kind(query)?, page: PageRequest::parse(query)? })
    }
}

fn parse_kind(query: &str) -> Result<Option<RecordKind>, InvalidQuery> {
    const EXPECTED: &str = "`task`, `note`, `event` or `shopping_item`, once";
    let Some(name) = find_single(query, "kind", EXPECTED)? else {
        return Ok(None);
    };
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.is_restorable() && kind.as_str() == name);
    kind.map(Some).ok_or(InvalidQuery { parameter: "kind", expected: EXPECTED })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_is_checked_and_others_are_ignored() {
        let default = RestorablePageRequest::parse("x=1&Kind=task").unwrap();
        assert_eq!(default, RestorablePageRequest::default());
        let page = RestorablePageRequest::parse("kind=shopping%5Fitem&limit=100").unwrap();
        assert_eq!(page.kind, Some(RecordKind::ShoppingItem));
        assert_eq!(page.page, PageRequest::new(Some(100), None).unwrap());
        for (bad, parameter) in [
            ("kind=board", "kind"),
            ("kind=", "kind"),
            ("kind=task&kind=task", "kind"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=x", "limit"),
            ("limit=1&limit=1", "limit"),
            ("cursor=", "cursor"),
            ("cursor=a&cursor=a", "cursor"),
        ] {
            assert_eq!(RestorablePageRequest::parse(bad).unwrap_err().parameter, parameter, "{bad}");
        }
    }
}

//! The query parameters of the overview.

use std::str::FromStr;

use crate::resource::{AssigneeFilter, InvalidQuery, find_single};

/// Selects the tasks and events of an overview. The default selects those of everybody, and the events of today and the
/// next 7 days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverviewQuery {
    /// Only tasks that are assigned to this person, and events that concern it: as the assignee, as a participant, or
    /// because they have neither. [`Unassigned`](AssigneeFilter::Unassigned) selects tasks without an assignee, and
    /// events that have neither.
    pub assignee: Option<AssigneeFilter>,
    /// How many days after today have events in the overview. Default: 7.
    pub days: DaysAhead,
}

/// A number of days after today, from 0 to 31. Default: 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaysAhead(u8);

impl DaysAhead {
    const MAX: u8 = 31;
    const INVALID: InvalidQuery = InvalidQuery { parameter: "days", expected: "a number from 0 to 31, once" };

    /// Returns the number of days.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for DaysAhead {
    fn default() -> Self {
        Self(7)
    }
}

impl TryFrom<u8> for DaysAhead {
    type Error = InvalidQuery;

    fn try_from(days: u8) -> Result<Self, InvalidQuery> {
        if days <= Self::MAX { Ok(Self(days)) } else { Err(Self::INVALID) }
    }
}

impl FromStr for DaysAhead {
    type Err = InvalidQuery;

    fn from_str(text: &str) -> Result<Self, InvalidQuery> {
        // A number also parses with a plus sign.
        let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        digits.and_then(|digits| digits.parse::<u8>().ok()).ok_or(Self::INVALID)?.try_into()
    }
}

impl OverviewQuery {
    /// The names of the parameters.
    pub const PARAMETERS: [&str; 2] = ["assignee", "days"];

    /// Parses a query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        let InvalidQuery { parameter, expected } = DaysAhead::INVALID;
        let days = find_single(query, parameter, expected)?.map(|text| text.parse()).transpose()?;
        Ok(Self { assignee: AssigneeFilter::find(query)?, days: days.unwrap_or_default() })
    }

    /// Returns the parameters with their values, without those that have their default.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let days = Some(self.days).filter(|days| *days != DaysAhead::default());
        let parameters = [
            ("assignee", self.assignee.as_ref().map(AssigneeFilter::value)),
            ("days", days.map(|days| days.get().to_string())),
        ];
        parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overview_query_is_read_back_from_its_parameters() {
        assert!(OverviewQuery::default().parameters().is_empty());
        assert_eq!(OverviewQuery::parse(""), Ok(OverviewQuery::default()));
        let users = [AssigneeFilter::Me, AssigneeFilter::Unassigned, AssigneeFilter::User("ana".parse().unwrap())];
        for (assignee, days) in users.into_iter().zip([0, 31, 1]) {
            let query = OverviewQuery { assignee: Some(assignee), days: days.try_into().unwrap() };
            let parameters = query.parameters();
            assert_eq!(parameters.iter().map(|(name, _)| *name).collect::<Vec<_>>(), OverviewQuery::PARAMETERS);
            let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(&parameters).finish();
            assert_eq!(OverviewQuery::parse(&text), Ok(query));
        }
    }

    #[test]
    fn an_invalid_or_repeated_value_names_its_parameter() {
        for bad in ["days=", "days=32", "days=-1", "days=%2B1", "days=256", "days=1.0", "days=7&days=7", "assignee="] {
            let parameter = &bad[..bad.find('=').unwrap()];
            assert_eq!(OverviewQuery::parse(bad).unwrap_err().parameter, parameter, "{bad}");
        }
        assert!(DaysAhead::try_from(32).is_err());
    }
}

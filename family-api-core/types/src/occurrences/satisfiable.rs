//! Finds rules that never match, such as the 30th of February.

use std::ops::ControlFlow;

use jiff::civil::{Date, date};

use super::calendar_rule::CalendarRule;
use super::rule::{End, Rule};
use super::steps::Steps;

/// In 28 years, January 1 falls on each weekday in common years and in leap years.
const FIRST: Date = date(2001, 1, 1);
const LAST: Date = date(2028, 12, 31);

impl Rule {
    /// Tells whether the rule matches a day of any year, if each period counts.
    pub(super) fn can_occur(&self) -> bool {
        if !self.selects_days() && self.positions.is_empty() {
            return true;
        }
        let mut rule = self.clone();
        rule.interval = 1;
        rule.end = End::Never;
        let mut has_occurred = false;
        CalendarRule::new(&rule, FIRST.at(0, 0, 0, 0), false).visit(FIRST, LAST, &mut Steps::new(), |_| {
            has_occurred = true;
            ControlFlow::Break(())
        });
        has_occurred
    }
}

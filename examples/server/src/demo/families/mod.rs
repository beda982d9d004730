//! The two families of the demo, in the import format. Instants are relative to today.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;

use crate::demo::instants;

/// A family of the demo.
pub(super) struct Family {
    lines: &'static str,
    zone: &'static str,
}

/// The family that the guide uses.
pub(super) const KOVALENKO: Family = Family { lines: include_str!("kovalenko.jsonl"), zone: "Europe/Kyiv" };
/// A second family. Members of the first family cannot see its records.
const BERG: Family = Family { lines: include_str!("berg.jsonl"), zone: "Europe/Oslo" };

/// Password of every user of the demo.
pub(super) const PASSWORD: &str = "correct-horse";
/// Id of the user whose key the guide prints.
pub(super) const USER: &str = "olena";
/// E-mail address of that user.
pub(super) const EMAIL: &str = "olena@kovalenko.example";

impl Family {
    /// Returns the time zone of the family.
    pub(super) fn zone(&self) -> Zone {
        self.zone.parse().unwrap_or_else(|_| Zone::utc())
    }
}

/// Returns every record of the demo as JSON Lines.
pub(super) fn lines(now: Timestamp) -> String {
    [KOVALENKO, BERG].map(|family| instants::resolve(family.lines, now, &family.zone())).concat()
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::{Password, Record};

    use super::*;

    #[test]
    fn every_line_is_a_record_of_the_import_format() {
        let lines = lines("2026-11-20T09:00:00Z".parse().unwrap());
        let records: Vec<Record> = lines
            .lines()
            .map(|line| Record::from_json(line.as_bytes()).unwrap_or_else(|e| panic!("{line}: {e}")))
            .collect();
        let guide = records.iter().find_map(|record| match record {
            Record::User(user) if user.id.as_str() == USER => Some(user),
            _ => None,
        });
        assert_eq!(guide.unwrap().email, EMAIL);
        assert!(matches!(&guide.unwrap().password, Password::Plain(password) if password.expose() == PASSWORD));
        assert_eq!(guide.unwrap().time_zone, KOVALENKO.zone());
        assert!(guide.unwrap().personal_api_enabled);
        assert!(KOVALENKO.zone() != Zone::utc() && BERG.zone() != Zone::utc());
    }
}

//! The user's own profile, the members of the family, and task statistics.

use family_api_client::resource::{Person, Profile, TaskStats};

use crate::show::{Show, with_emoji};
use crate::table::Table;
use crate::times::Times;

impl Show for Profile {
    fn show(&self, _: &Times) -> Table {
        let api = if self.personal_api_enabled { "on" } else { "off" };
        Table::of_fields([
            ("Name", with_emoji(self.emoji.as_deref(), &self.name)),
            ("E-mail", self.email.clone()),
            ("Time zone", self.time_zone.as_str().to_owned()),
            ("Currency", self.display_currency.clone()),
            ("Personal API", api.to_owned()),
            ("Family id", self.family_id.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("Id", self.id.to_string()),
        ])
    }
}

impl Show for Vec<Person> {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["Name", "Id"]);
        for person in self {
            table.add_row([with_emoji(person.emoji.as_deref(), &person.name), person.id.to_string()]);
        }
        table
    }
}

impl Show for TaskStats {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("Open", self.my_open.to_string()),
            ("Done today", self.done_today.to_string()),
            ("Done this week", self.done_week.to_string()),
            ("Done ever", self.done_total.to_string()),
        ])
    }
}

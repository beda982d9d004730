//! The user's own profile.

use family_api_client::resource::Profile;

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

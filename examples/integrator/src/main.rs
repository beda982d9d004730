//! Prints a morning summary: today's events, the open tasks and the shopping lists.
//!
//! It is an example of an integration: a program that a member of the family runs with their own key. Of this
//! workspace, it depends only on `family-api-client`. To try it, start the demo with
//! `cargo run -p family-api-server -- demo` and use the key that the demo prints:
//!
//! ```console
//! $ export FAMILY_API_URL=http://127.0.0.1:8080 FAMILY_API_TOKEN=fam_…
//! $ cargo run -p family-api-integrator
//! Good morning, Olena! It is Saturday, 21 November 2026.
//!
//! Today
//!   16:30–17:15  🎹 Piano lesson, Music school, room 4 (Sofia)
//!   19:00–21:30  🍲 Dinner with the grandparents, At home
//!
//! To do
//!   today 20:00  Send the gas meter reading (Olena)
//!   high         Book the dentist for Sofia, due 22 Nov (Taras)
//! …
//! ```
//!
//! **Keys.** The program reads over `/api/mcp`, which every key can use, even if the personal API is off. So a key of
//! mode `mcp_read` is enough. Only the profile, with the user's name and time zone, needs the scope `v1.read`. Without
//! the scope `v1.read`, or if the personal API is off, the summary has no name and uses the time zone of the machine
//! (`TZ`). Any other failure to read the profile is an error, because the summary could be for the wrong day.
//!
//! **Today.** Days are in the time zone of the profile. The program reads the occurrences of events from yesterday to
//! tomorrow while it reads the profile, and then selects those that overlap today. The API expands recurring events.
//!
//! `main` calls the API and prints the summary. [`summary`] converts records to text, without network or clock.

mod day;
mod error_message;
mod events;
mod shopping;
mod summary;
mod tasks;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;
use std::{env, env::VarError, error};

use family_api_client::calendar::Zone;
use family_api_client::resource::Profile;
use family_api_client::{Clock, Date, Error, FamilyClient, Surface, SystemClock, Timestamp};
use jiff::tz::TimeZone;

use crate::day::Day;
use crate::error_message::error_message;
use crate::summary::Summary;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let printed = match read_summary().await {
        Ok(summary) => writeln!(io::stdout(), "{summary}").map(|()| ExitCode::SUCCESS),
        Err(error) => writeln!(io::stderr(), "{}", error_message(&*error)).map(|()| ExitCode::FAILURE),
    };
    printed.unwrap_or(ExitCode::FAILURE)
}

async fn read_summary() -> Result<Summary, Box<dyn error::Error>> {
    let client = FamilyClient::builder()
        .base_url(variable("FAMILY_API_URL")?)
        .token(variable("FAMILY_API_TOKEN")?)
        .read_over(Surface::ReadPath)
        .build()?;
    let profiles = client.profile();
    let read = client.read();
    let now = SystemClock.now();
    // Every time zone is less than a day from UTC.
    let (yesterday, tomorrow) = days_around(now);
    let occurrences = read.occurrences(yesterday, tomorrow);
    let (profile, events, boards, lists) = tokio::join!(profiles.get(), occurrences, read.tasks(), read.shopping());
    let events = events?;
    let is_truncated = events.is_truncated();
    let boards = boards?;
    let lists = lists?;
    let profile = none_if_unauthorized(profile)?;
    let zone = profile.as_ref().map_or_else(local_zone, |profile| profile.time_zone.clone());
    let day = Day::of(now, zone);
    Ok(Summary {
        name: profile.map(|profile| profile.name),
        day,
        events: events.into_items(),
        is_truncated,
        boards,
        lists,
    })
}

/// Returns the days before and after the day of an instant in UTC.
fn days_around(now: Timestamp) -> (Date, Date) {
    let today = Zone::utc().day_of(now);
    (today.yesterday().unwrap_or(today), today.tomorrow().unwrap_or(today))
}

/// Returns the value of an environment variable.
fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| match error {
        VarError::NotPresent => format!("{name} is not set"),
        VarError::NotUnicode(_) => format!("{name} is not UTF-8"),
    })
}

/// Returns `None` instead of a 401: the key has no permission to read the profile.
///
/// Returns every other error, because without the time zone of the profile the summary could be for the wrong day.
fn none_if_unauthorized(profile: Result<Profile, Error>) -> Result<Option<Profile>, Error> {
    match profile {
        Ok(profile) => Ok(Some(profile)),
        Err(error) if error.is_unauthorized() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the time zone of the machine, or UTC if the time zone is unknown.
fn local_zone() -> Zone {
    TimeZone::system().iana_name().and_then(|name| name.parse().ok()).unwrap_or_else(Zone::utc)
}

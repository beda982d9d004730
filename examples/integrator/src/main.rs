//! A morning summary: what happens today, what is to be done, and what is to be bought.
//!
//! It is an example of a program that a member of the family runs with a key of theirs. Of family-api it takes
//! `family-api-client` and nothing else: a key goes in, records come out. With the demo running
//! (`cargo run -p family-api-server -- demo`), the key that it prints is good for a first try:
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
//! **Which key.** It reads over `/api/mcp`, which every key opens; a key of mode `mcp_read` is enough, also while the
//! personal API is off. Only the profile, and with it the name and the family's time zone, is behind `v1.read`: a key
//! that does not open it gets a summary all the same, in the time zone of the machine (`TZ`). A profile that cannot be
//! read for any other reason ends the summary, as a calendar does that cannot be read: without its time zone, today
//! would be another day.
//!
//! **What counts as today.** Days are those of the time zone. The API can be asked for the events that begin and end
//! within some days, and what began before today or ends after it happens today too: so all are read, and those that
//! touch today are picked here. A recurring event counts by its stored dates, since the API does not repeat it.
//!
//! `main` asks and prints. [`summary`] turns records and an instant into text, and touches neither network nor clock.

mod complaint;
mod day;
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
use family_api_client::{Clock, Error, FamilyClient, Surface, SystemClock};
use jiff::tz::TimeZone;

use crate::complaint::complaint;
use crate::day::Day;
use crate::summary::Summary;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let written = match read().await {
        Ok(summary) => writeln!(io::stdout(), "{summary}").map(|()| ExitCode::SUCCESS),
        Err(error) => writeln!(io::stderr(), "{}", complaint(&*error)).map(|()| ExitCode::FAILURE),
    };
    written.unwrap_or(ExitCode::FAILURE)
}

async fn read() -> Result<Summary, Box<dyn error::Error>> {
    let client = FamilyClient::builder()
        .base_url(variable("FAMILY_API_URL")?)
        .token(variable("FAMILY_API_TOKEN")?)
        .read_over(Surface::ReadPath)
        .build()?;
    let (profiles, reading) = (client.profile(), client.read());
    let (profile, events, boards, lists) =
        tokio::join!(profiles.get(), reading.events(), reading.tasks(), reading.shopping());
    let (events, boards, lists) = (events?, boards?, lists?);
    let profile = if_allowed(profile)?;
    let zone = profile.as_ref().map_or_else(local_zone, |profile| profile.time_zone.clone());
    let day = Day::of(SystemClock.now(), zone);
    Ok(Summary { name: profile.map(|profile| profile.name), day, events, boards, lists })
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| match error {
        VarError::NotPresent => format!("{name} is not set"),
        VarError::NotUnicode(_) => format!("{name} is not UTF-8"),
    })
}

/// The profile, or none where the key does not open it.
///
/// Any other fault ends the summary: it may be over in a minute, and until then the days would be of the wrong zone.
fn if_allowed(profile: Result<Profile, Error>) -> Result<Option<Profile>, Error> {
    match profile {
        Ok(profile) => Ok(Some(profile)),
        Err(error) if error.is_unauthorized() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The time zone of the machine.
fn local_zone() -> Zone {
    TimeZone::system().iana_name().and_then(|name| name.parse().ok()).unwrap_or_else(Zone::utc)
}

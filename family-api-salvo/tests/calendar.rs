//! `from`/`to` and `task_stats` over HTTP in zones whose clock skips midnight, repeats it, or skips a day.
//!
//! The expected instants were computed independently, minute by minute, with Python's `zoneinfo`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod storages;

use std::sync::Arc;

use family_api_core::key::{EnvironmentTokens, KeyPrefix};
use family_api_core::storage::Storage;
use family_api_core::{FamilyApi, ManualClock, Timestamp};
use family_api_salvo::FamilyRoutes;
use family_api_testing::line;
use salvo::test::{ResponseExt, TestClient};
use salvo::{Router, Service};
use serde_json::{Value, json};

use crate::storages::{StorageKind, StorageLocation, load, on_every_storage};

/// A day in a zone, with the start and end of the day and of its week.
struct Day {
    zone: &'static str,
    date: &'static str,
    begins: Timestamp,
    ends: Timestamp,
    week_begins: Timestamp,
    week_ends: Timestamp,
}

/// The zone and the date of each day, the start and the end of the day, and the start and the end of its week (UTC).
#[rustfmt::skip]
const DAYS: [[&str; 6]; 8] = [
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00Z", "2026-09-07T03:00Z", "2026-08-31T04:00Z", "2026-09-07T03:00Z"],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00Z", "2026-04-24T21:00Z", "2026-04-19T22:00Z", "2026-04-26T21:00Z"],
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00Z", "2026-03-29T21:00Z", "2026-03-22T22:00Z", "2026-03-29T21:00Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00Z", "2026-11-02T05:00Z", "2026-10-26T04:00Z", "2026-11-02T05:00Z"],
    ["Asia/Kolkata", "2026-11-20", "2026-11-19T18:30Z", "2026-11-20T18:30Z", "2026-11-15T18:30Z", "2026-11-22T18:30Z"],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00Z", "2026-03-09T04:00Z", "2026-03-02T05:00Z", "2026-03-09T04:00Z"],
    // The week in which Samoa skipped a day. The skipped day itself cannot be "today".
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00Z", "2011-12-31T10:00Z", "2011-12-26T10:00Z", "2012-01-01T10:00Z"],
    ["UTC", "2026-11-20", "2026-11-20T00:00Z", "2026-11-21T00:00Z", "2026-11-16T00:00Z", "2026-11-23T00:00Z"],
];

impl Day {
    fn of([zone, date, instants @ ..]: [&'static str; 6]) -> Self {
        let [begins, ends, week_begins, week_ends] = instants.map(|at| at.replace('Z', ":00Z").parse().unwrap());
        Self { zone, date, begins, ends, week_begins, week_ends }
    }

    fn boundaries(&self) -> [Timestamp; 4] {
        [self.begins, self.ends, self.week_begins, self.week_ends]
    }
}

fn shifted(at: Timestamp, millis: i64) -> Timestamp {
    Timestamp::from_millis(at.as_millis() + millis).unwrap()
}

/// A user in the zone. At each boundary, one event and one completed task just before it, and one of each at it.
fn records(day: &Day) -> Vec<Value> {
    let mut records = vec![
        line!("family", "f", { "name": "F" }),
        line!("user", "u", {
            "familyId": "f", "name": "U", "email": "u@example.org", "timeZone": day.zone, "personalApiEnabled": false,
        }),
        line!("board", "b", { "familyId": "f", "name": "B" }),
        line!("column", "c", { "familyId": "f", "boardId": "b", "name": "C" }),
    ];
    for (name, boundary) in ["begins", "ends", "week-begins", "week-ends"].into_iter().zip(day.boundaries()) {
        for (place, millis) in [("before", -1), ("at", 0)] {
            let (id, at) = (format!("{place}-{name}"), shifted(boundary, millis));
            records.push(line!("event", &id, { "familyId": "f", "title": "E", "startDate": at, "endDate": at }));
            records.push(line!("task", &id, {
                "familyId": "f", "columnId": "c", "title": "T", "completedAt": at, "creatorId": "u",
            }));
        }
    }
    records
}

async fn seeded(kind: StorageKind, day: &Day) -> (Arc<dyn Storage>, StorageLocation) {
    let (storage, place) = kind.fresh().await;
    load(&*storage, records(day)).await;
    (storage, place)
}

async fn get(storage: &Arc<dyn Storage>, now: Timestamp, path: &str) -> Value {
    let tokens = EnvironmentTokens::parse("u|secret", &KeyPrefix::default()).unwrap();
    let api = FamilyApi::builder(storage.clone()).clock(ManualClock::new(now)).environment_tokens(tokens).build();
    let service = Service::new(Router::new().push(FamilyRoutes::new(api).into_router()));
    let url = format!("http://127.0.0.1/api/mcp/read/{path}");
    TestClient::get(url).bearer_auth("secret").send(&service).await.take_json().await.unwrap()
}

/// Counts the records in a range, with or without its end.
fn count_within(day: &Day, begins: Timestamp, ends: Timestamp, end_included: bool) -> usize {
    let instants = day.boundaries().map(|at| [shifted(at, -1), at]);
    let within = |at: &&Timestamp| **at >= begins && (**at < ends || (end_included && **at == ends));
    instants.as_flattened().iter().filter(within).count()
}

async fn check(storage: Arc<dyn Storage>, day: &Day) {
    let place = format!("{} {}", day.zone, day.date);
    let noon = shifted(day.begins, 12 * 3_600_000);
    let events = get(&storage, noon, &format!("events?from={0}&to={0}", day.date)).await;
    assert_eq!(events.as_array().unwrap().len(), count_within(day, day.begins, day.ends, true), "{place}: {events}");
    for now in [day.begins, noon, shifted(day.ends, -1)] {
        let stats = get(&storage, now, "task_stats").await;
        let expected = json!({
            "myOpen": 0,
            "doneToday": count_within(day, day.begins, day.ends, false),
            "doneWeek": count_within(day, day.week_begins, day.week_ends, false),
            "doneTotal": 8,
        });
        assert_eq!(stats, expected, "{place} at {now}");
    }
}

on_every_storage! {
    async fn days_and_weeks_follow_the_local_clock(kind: StorageKind) {
        for day in DAYS.map(Day::of) {
            let (storage, _place) = seeded(kind, &day).await;
            check(storage, &day).await;
        }
    }

    async fn skipped_day_is_the_first_instant_after_it(kind: StorageKind) {
        let day = Day::of(DAYS[6]);
        let (storage, _place) = seeded(kind, &day).await;
        let events = get(&storage, day.begins, "events?from=2011-12-30&to=2011-12-30").await;
        let ids: Vec<&str> = events.as_array().unwrap().iter().map(|event| event["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["at-begins"]);
    }
}

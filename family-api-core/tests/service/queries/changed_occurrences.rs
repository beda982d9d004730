//! Changed occurrences of an event that recurs.

use family_api_core::calendar::parse_date;
use family_api_core::query::{EventQuery, PageRequest};
use family_api_core::resource::ReadQuery;
use family_api_core::{ContentCoding, FamilyApi, ReadOutcome};
use serde_json::{Value, json};

use crate::fixture::{Fixture, session};
use crate::queries::family::{event, with_shared_records};

/// Adds a daily event at 18:30 in Kyiv. The occurrence of 23 November takes place with that of 24 November, as a concert
/// of Ben.
async fn with_concert() -> (Fixture, FamilyApi) {
    let (fixture, api) = with_shared_records().await;
    let concert = json!({
        "recurrenceId": "2026-11-23T18:30:00", "startDate": "2026-11-24T16:30:00Z", "endDate": "2026-11-24T18:00:00Z",
        "title": "Concert", "assigneeId": "ben",
    });
    let choir = json!({
        "startDate": "2026-11-20T16:30:00Z", "endDate": "2026-11-20T17:30:00Z", "timeZone": "Europe/Kyiv",
        "title": "Choir", "recurrence": "FREQ=DAILY", "overrides": [concert],
    });
    fixture.load([event("choir", choir)]).await;
    (fixture, api)
}

async fn read(api: &FamilyApi, day: &str) -> Value {
    let ana = session(api, "ana").await;
    let day = parse_date(day).unwrap();
    let query = ReadQuery::Occurrences { from: day, to: day };
    match api.read(&ana).unwrap().get(&query, ContentCoding::Identity, None).await.unwrap() {
        ReadOutcome::Document { body, .. } => serde_json::from_slice(&body).unwrap(),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

#[tokio::test]
async fn an_expanded_read_shows_the_assignee_of_a_changed_occurrence() {
    let (_fixture, api) = with_concert().await;
    for _ in 0..2 {
        let found = read(&api, "2026-11-24").await;
        let concert = found.as_array().unwrap().iter().find(|item| item["title"] == "Concert").unwrap();
        assert_eq!((&concert["id"], &concert["assignee"]["id"]), (&json!("choir@20261123T163000Z"), &json!("ben")));
        assert_eq!(concert["recurrenceId"], "2026-11-23T18:30:00");
    }
    assert!(!read(&api, "2026-11-23").await.to_string().contains("choir"));
}

#[tokio::test]
async fn pages_show_both_occurrences_that_start_together() {
    let (_fixture, api) = with_concert().await;
    let ana = session(&api, "ana").await;
    let query = EventQuery { text: Some("c".parse().unwrap()), ..EventQuery::default() };
    let query = EventQuery { to: parse_date("2026-11-25"), ..query };
    let mut shown = Vec::new();
    let mut next = None;
    loop {
        let page = PageRequest::new(Some(1), next.take()).unwrap();
        let found = api.read(&ana).unwrap().find_occurrences(&query, &page).await.unwrap().page;
        shown.extend(found.items.into_iter().filter(|item| item.occurrence_of.as_str() == "choir"));
        next = found.next;
        if next.is_none() {
            break;
        }
    }
    let ids: Vec<_> = shown.iter().map(|item| item.id.as_str()).collect();
    let expected = ["20", "21", "22", "23", "24", "25"].map(|day| format!("choir@202611{day}T163000Z"));
    assert_eq!(ids, expected);
    assert_eq!(shown[3].start_date, shown[4].start_date);
    assert_eq!(shown[3].assignee.as_ref().unwrap().id.as_str(), "ben");
}

#[tokio::test]
async fn a_text_is_searched_in_what_an_occurrence_shows() {
    let (_fixture, api) = with_concert().await;
    let ana = session(&api, "ana").await;
    let found = async |text: &str| {
        let query =
            EventQuery { text: Some(text.parse().unwrap()), to: parse_date("2026-11-25"), ..EventQuery::default() };
        let page = api.read(&ana).unwrap().find_occurrences(&query, &PageRequest::default()).await.unwrap().page;
        page.items.iter().map(|item| item.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("concert").await, ["choir@20261123T163000Z"]);
    assert_eq!(found("choir").await.len(), 5);
}

#[tokio::test]
async fn the_overview_shows_a_changed_occurrence() {
    let (_fixture, api) = with_concert().await;
    let ana = session(&api, "ana").await;
    let overview = api.read(&ana).unwrap().find_overview().await.unwrap();
    let concert = overview.occurrences.items.iter().find(|item| item.title == "Concert").unwrap();
    assert_eq!(concert.assignee.as_ref().unwrap().id.as_str(), "ben");
}

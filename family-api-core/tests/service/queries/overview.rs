//! The overview as a document: whose records it has, and its bound in bytes.

use family_api_core::FamilyApi;
use family_api_core::resource::{Excerpt, InvalidQuery, Overview, OverviewQuery};
use family_api_core::{Error, jiff};
use family_api_testing::line;
use serde_json::{Value, json};

use crate::fixture::session;
use crate::queries::family::{event, list, task, with_shared_records};

async fn overview(api: &FamilyApi, query: &str) -> Result<Overview, Error> {
    let query = OverviewQuery::parse(query).unwrap();
    Ok(api.read(&session(api, "ana").await).unwrap().overview(&query).await?.parse().unwrap())
}

fn titles(overview: &Overview) -> (Vec<&str>, Vec<&str>) {
    let tasks = overview.open_tasks.items.iter().map(|task| task.title.as_str());
    (tasks.collect(), overview.events.items.iter().map(|event| event.title.as_str()).collect())
}

#[tokio::test]
async fn an_assignee_selects_tasks_and_what_concerns_this_person() {
    let (fixture, api) = with_shared_records().await;
    let at = |day: &str, fields: Value| {
        let mut all = json!({ "startDate": format!("{day}T10:00:00Z"), "endDate": format!("{day}T11:00:00Z") });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    fixture
        .load([
            event("choir", at("2026-11-26", json!({ "assigneeId": "ben", "participantIds": ["gone", "ben"] }))),
            event("chess", at("2026-11-27", json!({ "participantIds": ["ana"] }))),
            task("painting", json!({ "assigneeId": "gone" })),
        ])
        .await;
    let of = async |query: &str| overview(&api, &format!("{query}&days=7")).await.unwrap();
    let last = |overview: &Overview| {
        let (tasks, events) = titles(overview);
        let words = |titles: Vec<&str>| titles.iter().map(|title| title.replace(" title", "")).collect::<Vec<_>>();
        let mut events = words(events);
        // The other events are of the whole family.
        events.retain(|title| title == "choir" || title == "chess");
        (words(tasks).join(" "), events.join(" "))
    };
    for (query, tasks, events) in [
        ("", "ironing cleaning cooking painting Buy milk", "choir chess"),
        ("assignee=me", "ironing cleaning", "chess"),
        ("assignee=ana", "ironing cleaning", "chess"),
        ("assignee=ben", "cooking", "choir"),
        ("assignee=dan", "", ""),
        ("assignee=gone", "painting", "choir"),
        ("assignee=unassigned", "Buy milk", ""),
    ] {
        assert_eq!(last(&of(query).await), (tasks.to_owned(), events.to_owned()), "{query}");
    }
    assert_eq!(of("assignee=unassigned").await.events.total, 9);
    assert_eq!((of("").await.overdue_count, of("assignee=ben").await.overdue_count), (1, 0));
    for user in ["cleo", "Me", "none"] {
        let refused = overview(&api, &format!("assignee={user}")).await;
        let is_named = matches!(refused, Err(Error::InvalidQuery(InvalidQuery { parameter: "assignee", .. })));
        assert!(is_named, "{user}: {refused:?}");
    }

    let everything = of("").await;
    let choir = everything.events.items.iter().find(|event| event.id.as_str() == "choir").unwrap();
    let people = serde_json::to_value(&choir.participants).unwrap();
    assert_eq!(
        people,
        json!({ "items": [{ "id": "gone", "name": null }, { "id": "ben", "name": "ben" }], "total": 2 })
    );
    let columns = &everything.boards.items[0].columns.items;
    assert_eq!((columns[0].open_count, of("assignee=ben").await.boards.items[0].columns.items[0].open_count), (5, 5));
}

#[tokio::test]
async fn days_select_the_events_after_today() {
    let (fixture, api) = with_shared_records().await;
    let late = json!({ "startDate": "2026-12-21T10:00:00Z", "endDate": "2026-12-21T11:00:00Z" });
    fixture.load([event("late", late)]).await;
    for (query, last_day, total) in [
        ("days=0", "2026-11-20", 2),
        ("", "2026-11-27", 9),
        ("days=30", "2026-12-20", 32),
        ("days=31", "2026-12-21", 34),
    ] {
        let overview = overview(&api, query).await.unwrap();
        assert_eq!((overview.last_day.to_string().as_str(), overview.events.total), (last_day, total), "{query}");
        assert_eq!(overview.events.items.len(), total.min(20), "{query}");
    }
}

#[tokio::test]
async fn local_times_are_those_of_the_profile_and_days_those_of_the_event() {
    let (fixture, api) = with_shared_records().await;
    // 25 November in Kyiv.
    let day = json!({ "startDate": "2026-11-24T22:00:00Z", "endDate": "2026-11-25T22:00:00Z", "allDay": true,
        "timeZone": "Europe/Kyiv" });
    let lesson = json!({ "startDate": "2026-11-25T22:30:00Z", "endDate": "2026-11-25T23:30:00Z" });
    let due_on_a_day = json!({ "assigneeId": "dan", "dueDate": "2026-11-24T23:00:00Z" });
    fixture.load([event("day", day), event("lesson", lesson), task("bins", due_on_a_day)]).await;
    let overview = overview(&api, "").await.unwrap();
    assert_eq!(overview.time_zone.as_str(), "Europe/Madrid");
    let span = |id: &str| {
        let event = overview.events.items.iter().find(|event| event.id.as_str() == id).unwrap();
        [event.local_start, event.local_end].map(|at| at.to_string())
    };
    assert_eq!(span("day"), ["2026-11-25", "2026-11-25"]);
    assert_eq!(span("lesson"), ["2026-11-25T23:30:00", "2026-11-26T00:30:00"]);
    let due = |id: &str| {
        let task = overview.open_tasks.items.iter().find(|task| task.id.as_str() == id).unwrap();
        task.local_due_date.map(|due| due.to_string())
    };
    assert_eq!((due("bins").as_deref(), due("ironing").as_deref()), (Some("2026-11-25"), Some("2026-11-19T11:00:00")));
    assert_eq!(due("cooking"), None);
}

/// Returns records whose texts are as long as an import accepts, with more of each kind than an overview shows. Each
/// character of a text has six bytes as JSON.
fn largest_family() -> Vec<Value> {
    let text = "\u{1}".repeat(2_000);
    let id = |kind: &str, number: usize| format!("{kind}-{number:0>56}");
    let user = |number| id("user", number);
    let mut lines: Vec<Value> = (0..60)
        .map(|number| {
            let email = format!("u{number}@example.org");
            line!("user", &user(number), { "familyId": "f", "name": text, "email": email })
        })
        .collect();
    let people: Vec<String> = (0..30).map(user).collect();
    for number in 0..60 {
        let board = id("board", number);
        lines.push(line!("board", &board, { "familyId": "f", "name": text, "order": number }));
        for column in 0..12 {
            let column = id("column", number * 12 + column);
            lines.push(line!("column", &column, { "familyId": "f", "boardId": board, "name": text }));
        }
        lines.push(list(&id("list", number), json!({ "name": text })));
        let due = "2026-11-19T10:00:00Z";
        let column = id("column", number * 12);
        let fields = json!({ "title": text, "columnId": column, "assigneeId": user(number), "dueDate": due });
        lines.push(task(&id("task", number), fields));
        let fields = json!({ "title": text, "location": text, "assigneeId": user(number), "participantIds": people,
            "timeZone": "America/Argentina/ComodRivadavia" });
        lines.push(event(&id("event", number), fields));
    }
    lines
}

#[tokio::test]
async fn the_overview_of_the_largest_family_has_at_most_16_kib() {
    let (fixture, api) = with_shared_records().await;
    fixture.load(largest_family()).await;
    let ana = session(&api, "ana").await;
    let document = api.read(&ana).unwrap().overview(&OverviewQuery::default()).await.unwrap();
    let bytes = document.as_bytes().len();
    assert!((4 * 1_024..=16 * 1_024).contains(&bytes), "{bytes}");
    let overview = document.parse().unwrap();
    fn counts<T>(excerpt: &Excerpt<T>) -> (bool, usize) {
        (!excerpt.items.is_empty(), excerpt.total)
    }
    let Overview { open_tasks, events, boards, shopping_lists, members, .. } = &overview;
    assert_eq!(counts(open_tasks), (true, 64));
    assert_eq!(counts(events), (true, 69));
    assert_eq!(counts(boards), (true, 61));
    assert_eq!(counts(shopping_lists), (true, 61));
    assert_eq!(counts(members), (true, 63));
    assert_eq!((overview.overdue_count, counts(&events.items.last().unwrap().participants)), (61, (true, 30)));
    // The bound holds whatever the texts are, because one record of each kind fits.
    let mut shortest: Overview = overview.clone();
    shortest.open_tasks.items.truncate(1);
    shortest.events.items.truncate(1);
    shortest.events.items[0].participants.items.truncate(1);
    shortest.boards.items.truncate(1);
    shortest.boards.items[0].columns.items.truncate(1);
    shortest.shopping_lists.items.truncate(1);
    shortest.members.items.truncate(1);
    let bytes = serde_json::to_vec(&shortest).unwrap().len();
    assert!(bytes <= 7 * 1_024, "{bytes}");
    let title = overview.open_tasks.items.last().unwrap().title.clone();
    assert!(title.chars().count() == 100 && title.ends_with('…'), "{title}");
}

#[tokio::test]
async fn the_last_day_is_never_after_that_of_the_calendar() {
    let (fixture, api) = with_shared_records().await;
    fixture.clock.set("9999-12-31T10:00:00Z".parse().unwrap());
    let overview = overview(&api, "days=31").await.unwrap();
    assert_eq!((overview.today, overview.last_day), (overview.last_day, jiff::civil::date(9999, 12, 31)));
}

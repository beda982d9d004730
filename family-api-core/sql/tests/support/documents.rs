//! Documents are equal to the output of serde, also if the database builds them.

use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::resource::{Document, TaskFilter};
use family_api_core::storage::{KeyStorage, ReadStorage, UserStorage};
use family_api_core::{Timestamp, key::KeyDigest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::family::{AT, Fixture, RECURRENCE, member, records};

/// Returns every character that JSON writers may encode differently.
pub(crate) fn special_characters() -> String {
    let controls = ('\u{1}'..='\u{1f}').chain(['\u{7f}', '\u{80}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{fffd}']);
    let others = "\"\\/'<>&\u{0}%`?$:@ é Ї 👩‍👩‍👧 𝕏 {\"a\":[1]} \\u0041 null".replace('\u{0}', "");
    controls.chain(others.chars()).collect()
}

/// Parses the document. Asserts that its bytes are equal to the output of serde.
fn parse_and_check<T: Serialize + DeserializeOwned>(document: Document<T>) -> T {
    let value = document.parse().unwrap();
    let written = String::from_utf8(serde_json::to_vec(&value).unwrap()).unwrap();
    assert_eq!(String::from_utf8(document.into_bytes().to_vec()).unwrap(), written);
    value
}

tests! {
    async fn every_document_equals_the_output_of_serde_for_any_text() {
        let text = special_characters();
        let Fixture { storage, .. } = &Fixture::of(&text).await;
        let (one, all) = (member("one"), EventRange::default());

        let boards = parse_and_check(storage.list_tasks(&one, TaskFilter::Done).await.unwrap());
        let task = &boards[0].columns[0].tasks[0];
        assert_eq!((&boards[0].name, &task.title, &task.labels[1]), (&text, &text, &text));
        assert_eq!(task.assignee.as_ref().unwrap().name, text);
        assert_eq!(task.creator, task.assignee);
        assert_eq!((boards[0].order, boards[0].columns[0].order), (-3, 9_007_199_254_740_991));

        let events = parse_and_check(storage.list_events(&one, &all).await.unwrap());
        assert_eq!(events[0].recurrence.as_deref(), Some(RECURRENCE));
        assert_eq!(events[0].location.as_ref(), Some(&text));
        assert_eq!(events[0].overrides.as_slice()[0].title.as_ref(), Some(&text));
        assert_eq!((events[0].overrides.as_slice().len(), events[0].participant_ids.len()), (2, 2));
        assert_eq!(events[0].assignee.as_ref().unwrap().emoji.as_ref(), Some(&text));

        let overlapping = storage.list_overlapping_events(&one, &(Timestamp::MIN..Timestamp::MAX)).await.unwrap();
        assert_eq!(parse_and_check(overlapping), events);
        let members = parse_and_check(storage.list_members(&one).await.unwrap());
        assert_eq!(members[0], events[0].assignee.clone().unwrap());

        let lists = parse_and_check(storage.list_shopping(&one).await.unwrap());
        assert_eq!(lists[0].items[0].added_by.as_ref().unwrap().image.as_ref(), Some(&text));

        let notes = parse_and_check(storage.list_notes(&one).await.unwrap());
        assert_eq!(notes[0].tags, [text.as_str(), ""]);
        assert_eq!(notes[0].category.as_ref().unwrap().name, text);

        let profile = storage.find_profile(&one.user).await.unwrap().unwrap();
        assert_eq!((profile.name, profile.llm_model), (text.clone(), Some(text)));
    }

    async fn an_empty_document_has_a_revision_too() {
        let fixture = Fixture::empty().await;
        fixture.load(records("one", "x").into_iter().take(2)).await.unwrap();
        let (storage, one) = (&fixture.storage, member("one"));
        let periods = StatsPeriods::at(AT.parse().unwrap(), &Zone::utc());
        let revisions = [
            storage.list_tasks(&one, TaskFilter::All).await.unwrap().revision(),
            storage.list_events(&one, &EventRange::default()).await.unwrap().revision(),
            storage.list_overlapping_events(&one, &(Timestamp::MIN..Timestamp::MAX)).await.unwrap().revision(),
            storage.list_members(&one).await.unwrap().revision(),
            storage.list_shopping(&one).await.unwrap().revision(),
            storage.list_notes(&one).await.unwrap().revision(),
            storage.find_task_stats(&one, &periods).await.unwrap().revision(),
        ];
        assert!(revisions[0].is_some());
        assert_eq!(revisions, [revisions[0]; 7]);
    }

    async fn timestamps_keep_their_milliseconds_over_the_whole_range() {
        for at in ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"] {
            let fixture = Fixture::empty().await;
            let mut records = records("one", "x");
            set_instants(&mut records, at);
            fixture.load(records).await.unwrap();
            let (storage, one) = (&fixture.storage, member("one"));
            let boards = parse_and_check(storage.list_tasks(&one, TaskFilter::Done).await.unwrap());
            let task = &boards[0].columns[0].tasks[0];
            let instants = [Some(task.created_at), Some(task.updated_at), task.due_date, task.completed_at];
            assert_eq!(instants, [Some(at.parse().unwrap()); 4]);
            let range = EventRange { from: Some(at.parse().unwrap()), to: Some(at.parse().unwrap()) };
            let events = storage.list_events(&one, &range).await.unwrap().into_bytes();
            assert!(String::from_utf8_lossy(&events).contains(&format!(r#""startDate":"{at}","endDate":"{at}""#)));
            let key = storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().unwrap();
            assert_eq!(key.key.created_at.to_string(), at);
        }
    }
}

/// Sets every timestamp of the records to `at`.
fn set_instants(records: &mut [Value], at: &str) {
    let fields = records.iter_mut().flat_map(|record| record.as_object_mut().unwrap().values_mut());
    fields.filter(|value| **value == AT).for_each(|value| *value = at.into());
}

//! The health check, and faults.

use family_api_core::Timestamp;
use family_api_core::calendar::EventRange;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::{ResourceKind, TaskFilter};

use crate::Subject;
use crate::fixture::{ada, id, now, signed_in};

pub(super) async fn the_health_check_of_a_running_storage_succeeds(subject: &dyn Subject) {
    assert!(subject.storage().check().await.is_ok());
}

/// Passes without a check if the subject cannot [stop its database](Subject::stop_database).
pub(super) async fn no_call_hides_that_the_database_does_not_answer(subject: &dyn Subject) {
    if !subject.stop_database().await {
        return;
    }
    let (storage, ada) = (subject.storage(), &ada());
    let user: UserId = id("ada");
    let always = Timestamp::MIN..Timestamp::MAX;
    let change = ProfileChange::new().disable_personal_api();
    let answered = [
        ("check", storage.check().await.is_ok()),
        ("find_account", storage.find_account(&user).await.is_ok()),
        ("find_profile", storage.find_profile(&user).await.is_ok()),
        ("update_profile", storage.update_profile(&signed_in("ada"), &change, now()).await.is_ok()),
        ("list_members", storage.list_members(ada).await.is_ok()),
        ("list_tasks", storage.list_tasks(ada, TaskFilter::All).await.is_ok()),
        ("find_task", storage.find_task(ada, &id("open")).await.is_ok()),
        ("list_events", storage.list_events(ada, &EventRange::default()).await.is_ok()),
        ("find_event", storage.find_event(ada, &id("trip")).await.is_ok()),
        ("list_overlapping_events", storage.list_overlapping_events(ada, &always).await.is_ok()),
        ("list_shopping", storage.list_shopping(ada).await.is_ok()),
        ("find_shopping_item", storage.find_shopping_item(ada, &id("milk")).await.is_ok()),
        ("list_notes", storage.list_notes(ada).await.is_ok()),
        ("find_note", storage.find_note(ada, &id("recipe")).await.is_ok()),
    ];
    let kept = storage.capabilities();
    // A read of a resource that is not kept needs no database.
    let needs_no_database = |method: &str| {
        let resource = |name, kind| method.contains(name) && !kept.keeps_resource(kind);
        resource("task", ResourceKind::Tasks)
            || resource("event", ResourceKind::Events)
            || resource("shopping", ResourceKind::Shopping)
            || resource("note", ResourceKind::Notes)
    };
    for (method, is_ok) in answered {
        assert!(!is_ok || needs_no_database(method), "{method} answers, although the database does not");
    }
}

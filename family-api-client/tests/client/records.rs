//! Records that are created, updated, deleted and restored.

use family_api_client::api::{EventsApi, NotesApi, ShoppingItemsApi, TasksApi};
use family_api_client::change::{
    BoardChange, ColumnChange, EventChange, NoteCategoryChange, NoteChange, ShoppingItemChange, ShoppingListChange,
    TaskChange,
};
use family_api_client::key::KeyMode;
use family_api_client::resource::TaskFilter;
use family_api_client::{Date, FamilyClient};

use crate::service::Service;

/// The areas that a token and a session have in common, for both.
async fn areas(service: &Service) -> [(TasksApi, NotesApi, EventsApi, ShoppingItemsApi); 2] {
    let client = service.client(KeyMode::V1Full).await;
    let session = service.session();
    [
        (client.tasks(), client.notes(), client.events(), client.shopping_items()),
        (session.tasks(), session.notes(), session.events(), session.shopping_items()),
    ]
}

async fn titles(client: &FamilyClient) -> Vec<String> {
    let boards = client.read().tasks().filter(TaskFilter::All).await.unwrap();
    boards[0].columns[0].tasks.iter().map(|task| task.title.clone()).collect()
}

#[tokio::test]
async fn a_task_is_created_deleted_and_restored() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    for (tasks, ..) in areas(&service).await {
        let task = tasks.create(TaskChange::new().title("New").labels(["a"])).await.unwrap();
        assert_eq!((task.column_id.as_str(), task.labels.as_slice()), ("c", &["a".to_owned()][..]));
        assert_eq!(titles(&client).await, ["Open", "Done", "New"]);
        let updated = tasks.update(&task.id, TaskChange::new().complete()).if_match(task.etag().unwrap());
        let updated = updated.await.unwrap();
        let stale = tasks.delete(&task.id).if_match(task.etag().unwrap()).await.unwrap_err();
        assert!(stale.is_precondition_failed(), "{stale:?}");
        assert_eq!(tasks.delete(&task.id).if_match(updated.etag().unwrap()).await.unwrap().id, task.id);
        assert_eq!(titles(&client).await, ["Open", "Done"]);
        assert_eq!(tasks.restore(&task.id).await.unwrap(), updated);
        assert_eq!(tasks.restore(&task.id).await.unwrap(), updated, "a record that is not deleted stays as it is");
        tasks.delete(&task.id).await.unwrap();
    }
}

#[tokio::test]
async fn a_note_is_created_and_restored() {
    let service = Service::start().await;
    for (_, notes, ..) in areas(&service).await {
        let note = notes.create(NoteChange::new().title("Wi-Fi").content("On the fridge")).await.unwrap();
        assert_eq!((note.author_id.as_ref().unwrap().as_str(), note.content.as_str()), ("u", "On the fridge"));
        notes.delete(&note.id).await.unwrap();
        assert!(notes.update(&note.id, NoteChange::new()).await.unwrap_err().is_not_found());
        assert_eq!(notes.restore(&note.id).await.unwrap(), note);
    }
}

#[tokio::test]
async fn an_event_is_created_updated_deleted_and_restored() {
    let service = Service::start().await;
    let day: Date = "2026-12-24".parse().unwrap();
    for (_, _, events, _) in areas(&service).await {
        let change = EventChange::new().title("Christmas Eve").all_day().start_date(day).end_date(day);
        let event = events.create(change).await.unwrap();
        assert!(event.all_day && event.end_date > event.start_date, "{event:?}");
        let moved = events.update(&event.id, EventChange::new().location("Town")).await.unwrap();
        assert_eq!(moved.location.as_deref(), Some("Town"));
        events.delete(&event.id).await.unwrap();
        assert_eq!(events.restore(&event.id).await.unwrap(), moved);
        let refused = events.create(EventChange::new().title("T").recurrence("daily")).await.unwrap_err();
        let pointers: Vec<&str> = refused.field_errors().iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(refused.status(), Some(422));
        assert!(pointers.contains(&"/startDate") && pointers.contains(&"/recurrence"), "{pointers:?}");
    }
}

#[tokio::test]
async fn items_are_added_checked_and_cleared() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let list = "l".parse().unwrap();
    for (.., items) in areas(&service).await {
        let milk = items.create(&list, ShoppingItemChange::new().name("Milk").quantity("2 l")).await.unwrap();
        let bread = items.create(&list, ShoppingItemChange::new().name("Bread")).await.unwrap();
        assert!(items.update(&milk.id, ShoppingItemChange::new().check()).await.unwrap().checked);
        assert_eq!(items.delete_checked(&list).await.unwrap().ids, std::slice::from_ref(&milk.id));
        assert_eq!(items.delete_checked(&list).await.unwrap().ids, []);
        let left = client.read().shopping().await.unwrap();
        assert_eq!(left[0].items, [bread.clone().into_record()]);
        assert!(items.restore(&milk.id).await.unwrap().checked);
        items.delete(&milk.id).await.unwrap();
        items.delete(&bread.id).await.unwrap();
    }
}

#[tokio::test]
async fn a_session_sets_up_a_board_a_list_and_a_category() {
    let service = Service::start().await;
    let session = service.session();
    let board = session.boards().create(BoardChange::new().name("House").make_private()).await.unwrap();
    assert!(board.is_private && board.columns.is_empty(), "{board:?}");
    let column = session.columns().create(&board.id, ColumnChange::new().name("To do")).await.unwrap();
    assert_eq!(column.board_id, board.id);
    let list = session.shopping_lists().create(ShoppingListChange::new().name("Market")).await.unwrap();
    let category = session.note_categories().create(NoteCategoryChange::new().name("Recipes")).await.unwrap();

    let renamed = session.boards().update(&board.id, BoardChange::new().name("Home")).if_match(board.etag().unwrap());
    assert_eq!(renamed.await.unwrap().name, "Home");
    session.columns().update(&column.id, ColumnChange::new().order(3)).await.unwrap();
    session.shopping_lists().update(&list.id, ShoppingListChange::new().emoji("🛒")).await.unwrap();
    session.note_categories().update(&category.id, NoteCategoryChange::new().color("#cc6633")).await.unwrap();

    let error = session.boards().delete(&board.id).await.unwrap_err();
    assert!(error.is_not_empty() && error.status() == Some(409) && !error.is_in_doubt(), "{error:?}");
    session.columns().delete(&column.id).await.unwrap();
    session.boards().delete(&board.id).await.unwrap();
    session.shopping_lists().delete(&list.id).await.unwrap();
    assert_eq!(session.note_categories().delete(&category.id).await.unwrap().id, category.id);
}

#[tokio::test]
async fn a_key_creates_a_shopping_list_and_a_session_changes_it() {
    let service = Service::start().await;
    let lists = service.client(KeyMode::V1Full).await.shopping_lists();
    let list = lists.create(ShoppingListChange::new().name("Market")).await.unwrap();
    assert!(lists.update(&list.id, ShoppingListChange::new().name("Shop")).await.unwrap_err().is_not_found());
    assert!(lists.delete(&list.id).await.unwrap_err().is_not_found());
    let lists = service.session().shopping_lists();
    assert_eq!(lists.update(&list.id, ShoppingListChange::new().name("Shop")).await.unwrap().name, "Shop");
}

#[tokio::test]
async fn a_key_of_another_mode_can_create_nothing() {
    let service = Service::start().await;
    for mode in [KeyMode::V1Read, KeyMode::V1ReadWrite] {
        let client = service.client(mode).await;
        let error = client.tasks().create(TaskChange::new().title("T")).await.unwrap_err();
        assert_eq!((error.status(), error.code()), (Some(401), Some("insufficient_scope")));
        assert!(!error.is_in_doubt());
        let error = client.shopping_lists().create(ShoppingListChange::new().name("L")).await.unwrap_err();
        assert_eq!((error.status(), error.code()), (Some(401), Some("insufficient_scope")));
    }
}

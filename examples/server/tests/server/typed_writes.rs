//! Calls every method of the typed client that writes records. Leaves the family's records as they were.

use family_api_client::api::{
    BoardsApi, ColumnsApi, EventsApi, NoteCategoriesApi, NotesApi, ShoppingItemsApi, ShoppingListsApi, TasksApi,
};
use family_api_client::change::{
    BoardChange, ColumnChange, EventChange, NoteCategoryChange, NoteChange, ShoppingItemChange, ShoppingListChange,
    TaskChange,
};
use family_api_client::{FamilyClient, OccurrenceScope, OccurrenceStart};

/// Creates, updates, deletes and restores a record of each kind that can be restored.
pub(crate) async fn write_records(tasks: &TasksApi, notes: &NotesApi, events: &EventsApi, items: &ShoppingItemsApi) {
    let task = tasks.create(TaskChange::new().title("Candles")).await.unwrap();
    assert_eq!((task.column_id.as_str(), task.creator_id.as_ref().unwrap().as_str()), ("todo", "ana"));
    assert_eq!(tasks.update(&task.id, TaskChange::new().title("Two candles")).await.unwrap().title, "Two candles");
    assert_eq!(tasks.delete(&task.id).await.unwrap().id, task.id);
    assert!(tasks.delete(&task.id).await.unwrap_err().is_not_found());
    assert_eq!(tasks.restore(&task.id).await.unwrap().title, "Two candles");
    assert!(tasks.delete(&task.id).await.unwrap().success);

    let note = notes.create(NoteChange::new().title("Codes")).await.unwrap();
    assert!(notes.delete(&note.id).await.unwrap().success);
    assert_eq!(notes.restore(&note.id).await.unwrap().title, "Codes");
    assert!(notes.delete(&note.id).await.unwrap().success);

    let day: family_api_client::Date = "2026-12-24".parse().unwrap();
    let event = events.create(EventChange::new().title("Eve").start_date(day).end_date(day).all_day()).await.unwrap();
    let placed = events.update(&event.id, EventChange::new().location("At home")).await.unwrap();
    assert_eq!((placed.title.as_str(), placed.location.as_deref()), ("Eve", Some("At home")));
    let weekly = events.update(&event.id, EventChange::new().recurrence("FREQ=WEEKLY")).await.unwrap();
    assert!(weekly.overrides.is_empty());
    let second = OccurrenceStart::Day("2026-12-31".parse().unwrap());
    let scope = OccurrenceScope::This;
    let change = EventChange::new().title("A week later");
    let changed = events.update_occurrence(&event.id, second, scope, change).await.unwrap();
    assert_eq!(changed.overrides.as_slice().len(), 1);
    assert!(events.delete_occurrence(&event.id, second, scope).await.unwrap().success);
    let restored = events.restore_occurrence(&event.id, second).await.unwrap();
    assert_eq!(restored.recurrence.as_deref(), Some("FREQ=WEEKLY"));
    let change = EventChange::new().title("Next year");
    let later = events.update_occurrence(&event.id, second, OccurrenceScope::Following, change).await.unwrap();
    assert_eq!((later.title.as_str(), later.location.as_deref()), ("Next year", Some("At home")));
    assert!(later.id != event.id && events.delete(&later.id).await.unwrap().success);
    assert!(events.delete(&event.id).await.unwrap().success);
    let restored = events.restore(&event.id).await.unwrap();
    assert_eq!((restored.location.as_deref(), restored.sequence, later.sequence), (Some("At home"), 7, 0));
    assert!(events.delete(&event.id).await.unwrap().success);

    let list = "groceries".parse().unwrap();
    let item = items.create(&list, ShoppingItemChange::new().name("Bread").quantity("2")).await.unwrap();
    assert!(items.delete(&item.id).await.unwrap().success);
    assert_eq!(items.restore(&item.id).await.unwrap().quantity.as_deref(), Some("2"));
    assert!(items.update(&item.id, ShoppingItemChange::new().check()).await.unwrap().checked);
    assert_eq!(items.delete_checked(&list).await.unwrap().ids, std::slice::from_ref(&item.id));
}

/// Creates two tasks and deletes them again, each time with one request.
pub(crate) async fn write_batches(client: &FamilyClient) {
    let mut batch = client.batch();
    let created = ["Cake", "Plates"].map(|title| batch.add(client.tasks().create(TaskChange::new().title(title))));
    let results = batch.send().await.unwrap();
    let ids = created.map(|task| results.get(&task).unwrap().id.clone());
    let mut batch = client.batch();
    let deleted = ids.each_ref().map(|id| batch.add(client.tasks().delete(id)));
    let results = batch.send().await.unwrap();
    assert_eq!(deleted.map(|deleted| results.get(&deleted).unwrap().id), ids);
}

/// Creates, updates and deletes what contains records.
pub(crate) async fn write_containers(
    boards: &BoardsApi,
    columns: &ColumnsApi,
    lists: &ShoppingListsApi,
    categories: &NoteCategoriesApi,
) {
    let board = boards.create(BoardChange::new().name("Garden")).await.unwrap();
    let column = columns.create(&board.id, ColumnChange::new().name("Soon")).await.unwrap();
    let filled = boards.delete(&board.id).await.unwrap_err();
    assert_eq!((filled.status(), filled.code()), (Some(409), Some("not_empty")));
    assert_eq!(columns.update(&column.id, ColumnChange::new().name("Later")).await.unwrap().name, "Later");
    assert_eq!(boards.update(&board.id, BoardChange::new().name("Yard")).await.unwrap().name, "Yard");
    assert!(columns.delete(&column.id).await.unwrap().success);
    assert!(boards.delete(&board.id).await.unwrap().success);

    let list = lists.create(ShoppingListChange::new().name("Market")).await.unwrap();
    assert_eq!(lists.update(&list.id, ShoppingListChange::new().name("Bazaar")).await.unwrap().name, "Bazaar");
    assert!(lists.delete(&list.id).await.unwrap().success);

    let category = categories.create(NoteCategoryChange::new().name("House")).await.unwrap();
    assert_eq!(categories.update(&category.id, NoteCategoryChange::new().name("Home")).await.unwrap().name, "Home");
    assert!(categories.delete(&category.id).await.unwrap().success);
}

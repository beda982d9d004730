//! Records that are created, updated, deleted and restored. The tests of the example server call every method.

use family_api_client::FamilyClient;
use family_api_client::change::{BoardChange, ColumnChange, TaskChange};
use family_api_client::key::KeyMode;
use family_api_client::resource::{Task, TaskFilter};

use crate::service::Service;

async fn titles(client: &FamilyClient) -> Vec<String> {
    let boards = client.read().tasks().filter(TaskFilter::All).await.unwrap();
    boards[0].columns[0].tasks.iter().map(|task| task.title.clone()).collect()
}

#[tokio::test]
async fn a_task_is_created_deleted_and_restored() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    for tasks in [client.tasks(), service.session().tasks()] {
        let task = tasks.create(TaskChange::new().title("New").labels(["a"])).await.unwrap();
        assert_eq!((task.column_id.as_str(), task.labels.as_slice()), ("c", &["a".to_owned()][..]));
        assert_eq!(titles(&client).await, ["Open", "Done", "New"]);
        let updated = tasks.update(&task.id, TaskChange::new().complete()).if_match(task.etag().unwrap());
        let updated = updated.await.unwrap();
        let stale = tasks.delete(&task.id).if_match(task.etag().unwrap()).await.unwrap_err();
        assert!(stale.is_precondition_failed(), "{stale:?}");
        assert_eq!(tasks.delete(&task.id).if_match(updated.etag().unwrap()).await.unwrap().id, task.id);
        assert_eq!(titles(&client).await, ["Open", "Done"]);
        let restored = tasks.restore(&task.id).await.unwrap();
        assert_eq!(*restored, Task { sequence: 2, ..updated.into_record() });
        assert_eq!(tasks.restore(&task.id).await.unwrap(), restored, "a record that is not deleted stays as it is");
        tasks.delete(&task.id).await.unwrap();
    }
}

#[tokio::test]
async fn a_board_with_a_column_cannot_be_deleted() {
    let service = Service::start().await;
    let (client, session) = (service.client(KeyMode::V1Full).await, service.session());
    for (boards, columns) in [(client.boards(), client.columns()), (session.boards(), session.columns())] {
        let board = boards.create(BoardChange::new().name("House").make_private()).await.unwrap();
        let column = columns.create(&board.id, ColumnChange::new().name("To do")).await.unwrap();
        let renamed = boards.update(&board.id, BoardChange::new().name("Home")).if_match(board.etag().unwrap());
        assert_eq!(renamed.await.unwrap().name, "Home");
        let error = boards.delete(&board.id).await.unwrap_err();
        assert!(error.is_not_empty() && error.status() == Some(409) && !error.is_in_doubt(), "{error:?}");
        columns.delete(&column.id).await.unwrap();
        boards.delete(&board.id).await.unwrap();
    }
}

//! Boards and columns: visibility, order, fields.

use family_api_core::Timestamp;
use family_api_core::calendar::EventRange;
use family_api_core::resource::{
    Board, Column, Document, Event, Note, RecordKind, ResourceKind, ShoppingList, TaskFilter,
};
use family_api_core::storage::{BoardRecord, ColumnRecord, Member, Record};

use crate::Subject;
use crate::fixture::{
    MemberView, ada, assert_same, board, bob, column, days, eve, existing, family, id, seconds, seed, seed_families,
    seed_families_and, user,
};
use crate::writes::kinds::kept;

fn ids(boards: &[Board]) -> Vec<&str> {
    boards.iter().map(|board| board.id.as_str()).collect()
}

fn sorted_ids(boards: &[Board]) -> Vec<&str> {
    let mut ids = ids(boards);
    ids.sort_unstable();
    ids
}

pub(super) async fn a_private_board_is_visible_only_to_its_owner(subject: &dyn Subject) {
    seed_families(subject).await;
    for filter in [TaskFilter::Open, TaskFilter::Done, TaskFilter::All] {
        assert_same(&sorted_ids(&MemberView::of(ada(), subject).boards(filter).await), &["adas", "shared"]);
        assert_same(&sorted_ids(&MemberView::of(bob(), subject).boards(filter).await), &["bobs", "shared"]);
        assert_same(&ids(&MemberView::of(eve(), subject).boards(filter).await), &["south-board"]);
    }
}

pub(super) async fn a_private_board_without_an_owner_is_visible_to_no_one(subject: &dyn Subject) {
    let lost = BoardRecord { is_private: true, ..board("lost", "north") };
    seed_families_and(subject, vec![Record::Board(lost), Record::Column(column("lost-col", "lost"))]).await;
    assert_same(&sorted_ids(&MemberView::of(ada(), subject).boards(TaskFilter::All).await), &["adas", "shared"]);
    assert_same(&sorted_ids(&MemberView::of(bob(), subject).boards(TaskFilter::All).await), &["bobs", "shared"]);
}

pub(super) async fn boards_are_sorted_by_order_then_creation_time_then_id(subject: &dyn Subject) {
    let boards = [
        BoardRecord { order: 10, ..board("ten", "east") },
        BoardRecord { order: 9, created_at: seconds(1), ..board("a-young", "east") },
        BoardRecord { order: 9, ..board("b", "east") },
        BoardRecord { order: 9, ..board("_", "east") },
        BoardRecord { order: 9, ..board("B", "east") },
        BoardRecord { order: 9, ..board("0", "east") },
        BoardRecord { order: 9, created_at: days(-300), ..board("z-old", "east") },
        BoardRecord { order: -1, created_at: seconds(2), ..board("minus", "east") },
    ];
    let mut records = vec![Record::Family(family("east")), Record::User(user("fay", Some("east")))];
    records.extend(boards.map(Record::Board));
    seed(subject, records).await;
    let fay = Member { user: id("fay"), family: id("east") };
    let seen = MemberView::of(fay, subject).boards(TaskFilter::Open).await;
    let order = if subject.storage().capabilities().keeps_field(RecordKind::Board, "order") {
        ["minus", "z-old", "0", "B", "_", "b", "a-young", "ten"]
    } else {
        ["z-old", "0", "B", "_", "b", "ten", "a-young", "minus"]
    };
    assert_same(&ids(&seen), &order);
}

pub(super) async fn columns_are_sorted_by_order_then_id_and_can_be_empty(subject: &dyn Subject) {
    let columns = [
        ColumnRecord { order: 1, ..column("b", "south-board") },
        ColumnRecord { order: 1, created_at: days(-900), ..column("c", "south-board") },
        ColumnRecord { order: 1, ..column("C", "south-board") },
        ColumnRecord { order: -1, ..column("z", "south-board") },
    ];
    seed_families_and(subject, columns.map(Record::Column).into()).await;
    let [board] = &MemberView::of(eve(), subject).boards(TaskFilter::Done).await[..] else {
        panic!("expected eve to see one board");
    };
    let columns: Vec<_> = board.columns.iter().map(|column| column.id.as_str()).collect();
    let order = if subject.storage().capabilities().keeps_field(RecordKind::Column, "order") {
        ["z", "south-col", "C", "b", "c"]
    } else {
        ["C", "b", "c", "south-col", "z"]
    };
    assert_same(&columns, &order);
    assert!(board.columns.iter().all(|column| column.tasks.is_empty()));
}

pub(super) async fn every_field_of_a_board_and_its_columns_is_returned(subject: &dyn Subject) {
    seed_families(subject).await;
    let boards = MemberView::of(ada(), subject).boards(TaskFilter::Done).await;
    let find = |id: &str| boards.iter().find(|board| board.id.as_str() == id).cloned();
    let todo = Column {
        id: id("todo"),
        board_id: id("shared"),
        name: "todo".to_owned(),
        emoji: Some("📋".to_owned()),
        color: Some("#0000ff".to_owned()),
        order: 0,
        created_at: days(-200),
        tasks: vec![],
    };
    let doing =
        Column { id: id("doing"), name: "doing".to_owned(), emoji: None, color: None, order: 1, ..todo.clone() };
    let shared = Board {
        id: id("shared"),
        name: "shared".to_owned(),
        description: Some("Everybody's 🏠".to_owned()),
        emoji: Some("🏠".to_owned()),
        color: Some("#00ff00".to_owned()),
        order: 0,
        is_private: false,
        owner_user_id: Some(id("ada")),
        created_at: days(-200),
        updated_at: days(-150),
        columns: vec![todo, doing],
    };
    let todo_and_doing = shared.columns.iter().cloned().map(|column| kept(subject, column)).collect();
    let shared = kept(subject, Board { columns: todo_and_doing, ..shared });
    let mut listed = find("shared").unwrap();
    listed.columns.iter_mut().for_each(|column| column.tasks.clear());
    listed.columns.sort_by_key(|column| column.name != "todo");
    assert_same(&listed, &shared);
    let adas = Board {
        id: id("adas"),
        name: "adas".to_owned(),
        description: None,
        emoji: None,
        color: None,
        order: 1,
        is_private: true,
        owner_user_id: Some(id("ada")),
        created_at: days(-200),
        updated_at: days(-200),
        columns: vec![],
    };
    let listed = find("adas").map(|board| Board { columns: vec![], ..board });
    let is_listed = !existing(subject, &["adas"]).is_empty();
    assert_same(&listed, &is_listed.then(|| kept(subject, adas)));
}

pub(super) async fn a_family_without_records_has_empty_documents(subject: &dyn Subject) {
    seed_families_and(subject, vec![Record::Family(family("east")), Record::User(user("fay", Some("east")))]).await;
    let fay = Member { user: id("fay"), family: id("east") };
    let view = MemberView::of(fay, subject);
    let kept = subject.storage().capabilities();
    let has_only = |resource, kind| kept.keeps_resource(resource) && !kept.keeps_kind(kind);
    let has_only_board = has_only(ResourceKind::Tasks, RecordKind::Board);
    assert_same(&view.boards(TaskFilter::All).await, &Vec::from_iter(has_only_board.then(|| Board::only(vec![]))));
    let has_only_list = has_only(ResourceKind::Shopping, RecordKind::ShoppingList);
    assert_same(&view.lists().await, &Vec::from_iter(has_only_list.then(|| ShoppingList::only(vec![]))));
    assert_same(&view.events(&EventRange::default()).await, &Vec::<Event>::new());
    assert_same(&view.overlapping_events(&(Timestamp::MIN..Timestamp::MAX)).await, &Vec::<Event>::new());
    assert_same(&view.notes().await, &Vec::<Note>::new());
}

pub(super) async fn a_document_equals_the_serde_output_of_its_records(subject: &dyn Subject) {
    seed_families(subject).await;
    let view = MemberView::of(ada(), subject);
    let serialized = [
        Document::of(&view.boards(TaskFilter::All).await).unwrap().into_bytes(),
        Document::of(&view.events(&EventRange::default()).await).unwrap().into_bytes(),
        Document::of(&view.overlapping_events(&(Timestamp::MIN..Timestamp::MAX)).await).unwrap().into_bytes(),
        Document::of(&view.lists().await).unwrap().into_bytes(),
        Document::of(&view.notes().await).unwrap().into_bytes(),
    ];
    assert!(view.documents().await.bytes().eq(&serialized), "{:?} is not {serialized:?}", view.documents().await);
    let members = Document::of(&view.members().await).unwrap().into_bytes();
    assert_eq!(subject.storage().list_members(&ada()).await.unwrap().into_bytes(), members);
}

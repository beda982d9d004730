//! The rules for new records, and for records that are restored.

use crate::calendar::Zone;
use crate::change::{
    BoardChange, BoardFacts, BoardOwner, ColumnChange, ColumnFacts, Creator, Destination, Editable, NoteCategoryChange,
    NoteCategoryFacts, NoteChange, NoteFacts, ShoppingItemChange, ShoppingItemFacts, ShoppingListChange,
    ShoppingListFacts, TaskChange, TaskFacts, Verdict, WriteContext,
};
use crate::id::UserId;
use crate::resource::{Board, Column, Note, NoteCategory, Person, ShoppingItem, ShoppingList, Task};
use crate::timestamp::Timestamp;
use crate::validation::Reference;

use super::{now, person};

fn ada() -> UserId {
    "ada".parse().unwrap()
}

/// Returns a record that Ada begins to create.
fn blank<R: Editable>() -> R {
    R::blank("new".parse().unwrap(), &Creator { user: &ada(), person: Some(&person("ada")) }, now())
}

/// Calls a function with a context of a user.
fn with<T>(user: &str, decide: impl FnOnce(&WriteContext<'_>) -> T) -> T {
    decide(&WriteContext { user: &user.parse().unwrap(), zone: &Zone::utc(), now: now() })
}

fn written<R: Editable>(verdict: Verdict<R::Write>) -> R {
    match verdict {
        Verdict::Write(write) => R::output(write),
        other => panic!("{other:?}"),
    }
}

fn destination(board: BoardOwner) -> Destination {
    Destination { column: "first".parse().unwrap(), board, end: 9 }
}

fn task_facts(task: Task, destination: Option<Destination>) -> TaskFacts {
    TaskFacts { task, board: BoardOwner::Family, destination, assignee: None }
}

fn create_task(change: &TaskChange, destination: Option<Destination>) -> Verdict<crate::change::TaskWrite> {
    let new = change.build_new().unwrap();
    with("ada", |context| Task::decide_new(new, task_facts(blank(), destination), context))
}

#[test]
fn a_new_task_goes_to_the_end_of_the_default_column() {
    let task = written::<Task>(create_task(&TaskChange::new().title(" t "), Some(destination(BoardOwner::Family))));
    let expected = Task { title: "t".to_owned(), column_id: "first".parse().unwrap(), order: 9, ..blank() };
    assert_eq!(task, expected);
    assert_eq!((task.creator_id, task.creator, task.assignee_id), (Some(ada()), Some(person("ada")), None));
    let at_start = TaskChange::new().title("t").order(0);
    assert_eq!(written::<Task>(create_task(&at_start, Some(destination(BoardOwner::Family)))).order, 0);
}

#[test]
fn a_new_task_needs_a_column() {
    let Verdict::Refused(faults) = create_task(&TaskChange::new().title("t"), None) else { panic!() };
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].pointer, "/columnId");
    let named = TaskChange::new().title("t").column(&"c".parse().unwrap());
    assert_eq!(create_task(&named, None), Verdict::NotFound);
    // The storage finds the default column, because an invalid id names no column.
    let invalid = TaskChange { column: Some(Reference::Invalid), ..named };
    assert_eq!(create_task(&invalid, Some(destination(BoardOwner::Family))), Verdict::NotFound);
}

#[test]
fn an_unknown_assignee_of_a_new_task_is_a_fault_also_without_a_column() {
    let new = TaskChange::new().title("t").assignee(&"bob".parse().unwrap()).build_new().unwrap();
    let create = |assignee: Option<Person>| {
        let facts = TaskFacts { assignee, ..task_facts(blank(), None) };
        match with("ada", |context| Task::decide_new(new.clone(), facts, context)) {
            Verdict::Refused(faults) => faults.into_iter().map(|fault| fault.pointer).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(create(None), ["/columnId", "/assigneeId"]);
    assert_eq!(create(Some(person("bob"))), ["/columnId"]);
}

#[test]
fn a_new_private_task_belongs_to_its_creator() {
    let private = TaskChange::new().title("t").make_private().complete();
    let task = written::<Task>(create_task(&private, Some(destination(BoardOwner::Family))));
    assert_eq!((task.is_private, task.assignee_id, task.assignee), (true, Some(ada()), Some(person("ada"))));
    assert_eq!((task.completed, task.completed_at), (true, Some(now())));
    let new = private.assignee(&"bob".parse().unwrap()).build_new().unwrap();
    let bob = Some(person("bob"));
    let facts = TaskFacts { assignee: bob, ..task_facts(blank(), Some(destination(BoardOwner::Family))) };
    let verdict = with("ada", |context| Task::decide_new(new, facts, context));
    assert!(matches!(verdict, Verdict::Refused(faults) if faults[0].pointer == "/assigneeId"));
}

#[test]
fn a_new_note_has_the_caller_as_its_author() {
    let new = NoteChange::new().title("").tags(["a"]).build_new().unwrap();
    let note = with("ada", |context| Note::decide_new(new, NoteFacts { note: blank(), category: None }, context));
    assert_eq!(note, Verdict::Write(Note { tags: vec!["a".to_owned()], ..blank() }));
    let note = written::<Note>(note);
    assert_eq!((note.author_id, note.author), (Some(ada()), Some(person("ada"))));
    let in_category = NoteChange::new().title("").category(&"c".parse().unwrap()).build_new().unwrap();
    let facts = NoteFacts { note: blank(), category: None };
    assert_eq!(with("ada", |context| Note::decide_new(in_category, facts, context)), Verdict::NotFound);
}

#[test]
fn a_new_item_is_in_the_list_of_the_path() {
    let create = |list: Option<&str>| {
        let new = ShoppingItemChange::new().name(" Milk ").build_new(&"l".parse().unwrap()).unwrap();
        let facts = ShoppingItemFacts { item: blank(), list: list.map(|id| id.parse().unwrap()) };
        with("ada", |context| ShoppingItem::decide_new(new, facts, context))
    };
    let item = written::<ShoppingItem>(create(Some("l")));
    assert_eq!(item, ShoppingItem { name: "Milk".to_owned(), list_id: "l".parse().unwrap(), ..blank() });
    assert_eq!((item.added_by_id, item.added_by), (Some(ada()), Some(person("ada"))));
    assert_eq!(create(None), Verdict::NotFound);
}

#[test]
fn an_item_moves_only_to_a_list_that_the_caller_sees() {
    let stored = ShoppingItem { list_id: "l".parse().unwrap(), quantity: Some("2".to_owned()), ..blank() };
    let update = |change: &ShoppingItemChange, list: Option<&str>| {
        let facts = ShoppingItemFacts { item: stored.clone(), list: list.map(|id| id.parse().unwrap()) };
        with("bob", |context| ShoppingItem::decide(change.build().unwrap(), facts, context))
    };
    let to = ShoppingItemChange::new().list(&"other".parse().unwrap()).check().clear_quantity();
    let moved = ShoppingItem { list_id: "other".parse().unwrap(), checked: true, quantity: None, ..stored.clone() };
    assert_eq!(update(&to, Some("other")), Verdict::Write(moved));
    assert_eq!(update(&to, None), Verdict::NotFound);
    assert_eq!(update(&ShoppingItemChange::new(), None), Verdict::Write(stored.clone()));
}

#[test]
fn a_new_container_goes_behind_the_others() {
    let create_board = |change: &BoardChange| {
        let facts = BoardFacts { board: blank(), end: 7 };
        written::<Board>(with("ada", |context| Board::decide_new(change.build_new().unwrap(), facts, context)))
    };
    let named = BoardChange::new().name("n");
    let expected = Board { name: "n".to_owned(), order: 7, owner_user_id: Some(ada()), ..blank() };
    assert_eq!(create_board(&named), expected);
    assert_eq!(create_board(&named.order(2).make_private()), Board { order: 2, is_private: true, ..expected });
    let create_list = |change: &ShoppingListChange| {
        let facts = ShoppingListFacts { list: blank(), end: 7 };
        written::<ShoppingList>(with("ada", |context| {
            ShoppingList::decide_new(change.build_new().unwrap(), facts, context)
        }))
    };
    let named = ShoppingListChange::new().name("n");
    let expected = ShoppingList { name: "n".to_owned(), sort_order: 7, owner_user_id: Some(ada()), ..blank() };
    assert_eq!(create_list(&named), expected);
    assert_eq!(
        create_list(&named.sort_order(2).make_private()),
        ShoppingList { sort_order: 2, is_private: true, ..expected }
    );
}

#[test]
fn a_new_column_is_on_the_board_of_the_path() {
    let create = |change: &ColumnChange, board: Option<&str>| {
        let facts = ColumnFacts { column: blank(), board: board.map(|id| id.parse().unwrap()), end: 7 };
        let new = change.build_new(&"b".parse().unwrap()).unwrap();
        with("ada", |context| Column::decide_new(new, facts, context))
    };
    let named = ColumnChange::new().name("n");
    let expected = Column { name: "n".to_owned(), board_id: "b".parse().unwrap(), order: 7, ..blank() };
    assert_eq!(create(&named, Some("b")), Verdict::Write(expected.clone()));
    assert_eq!(create(&named.clone().order(0), Some("b")), Verdict::Write(Column { order: 0, ..expected }));
    assert_eq!(create(&named, None), Verdict::NotFound);
}

#[test]
fn an_update_of_a_container_keeps_its_other_fields() {
    let stored = Column { board_id: "b".parse().unwrap(), order: 3, emoji: Some("E".to_owned()), ..blank() };
    let facts = ColumnFacts { column: stored.clone(), board: None, end: 0 };
    let rename = ColumnChange::new().name("n").clear_emoji().build().unwrap();
    let expected = Column { name: "n".to_owned(), emoji: None, ..stored };
    assert_eq!(with("bob", |context| Column::decide(rename, facts, context)), Verdict::Write(expected));
    let stored = NoteCategory { parent_id: Some("p".parse().unwrap()), ..blank() };
    let facts = NoteCategoryFacts { category: stored.clone() };
    let change = NoteCategoryChange::new().color("#00ff00").build().unwrap();
    let expected = NoteCategory { color: Some("#00ff00".to_owned()), ..stored };
    assert_eq!(with("bob", |context| NoteCategory::decide(change, facts, context)), Verdict::Write(expected));
    let stored = Board { order: 3, owner_user_id: Some(ada()), created_at: Timestamp::MIN, ..blank() };
    let change = BoardChange::new().description("d").build().unwrap();
    let expected = Board { description: Some("d".to_owned()), updated_at: now(), ..stored.clone() };
    let verdict = with("bob", |context| Board::decide(change, BoardFacts { board: stored, end: 9 }, context));
    assert_eq!(verdict, Verdict::Write(expected));
}

#[test]
fn a_task_is_restored_with_the_next_sequence_if_its_column_is_visible() {
    let deleted =
        Task { column_id: "first".parse().unwrap(), order: 4, updated_at: Timestamp::MIN, sequence: 3, ..blank() };
    let restored = |task: &Task| Verdict::Write(Task { sequence: 4, ..task.clone() }.into());
    let restore = |user: &str, task: &Task, destination| {
        with(user, |context| Task::decide_restore(task_facts(task.clone(), destination), context))
    };
    let column = || Some(destination(BoardOwner::Family));
    assert_eq!(restore("bob", &deleted, column()), restored(&deleted));
    assert_eq!(restore("ada", &deleted, None), Verdict::NotFound);
    let private = Task { is_private: true, ..deleted };
    assert_eq!(restore("ada", &private, column()), restored(&private));
    assert_eq!(restore("bob", &private, column()), Verdict::NotFound);
}

#[test]
fn an_item_is_restored_unchanged_if_its_list_is_visible() {
    let deleted = ShoppingItem { list_id: "l".parse().unwrap(), checked: true, ..blank() };
    let restore = |user: &str, item: &ShoppingItem, list: Option<&str>| {
        let facts = ShoppingItemFacts { item: item.clone(), list: list.map(|id| id.parse().unwrap()) };
        with(user, |context| ShoppingItem::decide_restore(facts, context))
    };
    assert_eq!(restore("bob", &deleted, Some("l")), Verdict::Write(deleted.clone()));
    assert_eq!(restore("ada", &deleted, None), Verdict::NotFound);
    let private = ShoppingItem { is_private: true, ..deleted };
    assert_eq!(restore("ada", &private, Some("l")), Verdict::Write(private.clone()));
    assert_eq!(restore("bob", &private, Some("l")), Verdict::NotFound);
}

#[test]
fn a_note_is_restored_without_a_category_that_is_gone() {
    let category: NoteCategory = blank();
    let deleted = Note {
        category_id: Some(category.id.clone()),
        category: Some(category.clone()),
        updated_at: Timestamp::MIN,
        ..blank()
    };
    let restore = |category| {
        let facts = NoteFacts { note: deleted.clone(), category };
        with("bob", |context| Note::decide_restore(facts, context))
    };
    assert_eq!(restore(Some(category)), Verdict::Write(deleted.clone()));
    assert_eq!(restore(None), Verdict::Write(Note { category_id: None, category: None, ..deleted.clone() }));
}

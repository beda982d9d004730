//! The records that a member sees, sorted, with the person beside each id (HTTP reference, "Visibility" and "Person").

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Timestamp;
use crate::calendar::EventRange;
use crate::id::{CategoryId, ColumnId, UserId};
use crate::resource::{
    Board, Column, Event, Note, NoteCategory, Person, RecordKind, ResourceKind, ShoppingItem, ShoppingList, Task,
    TaskFilter, sees,
};
use crate::storage::kept::parse_deleted;
use crate::storage::{FamilyData, RestorableEntry, RestorableQuery, StorageError};

impl FamilyData {
    /// Lists the boards that the user sees, with their columns and the tasks that match the filter.
    #[must_use]
    pub fn list_tasks(&self, user: &UserId, filter: TaskFilter) -> Vec<Board> {
        let visible =
            self.tasks.iter().filter(|task| sees_task_regardless_of_board(user, task) && filter.matches(task));
        let visible = sorted(visible, |task| (task.order, &task.id));
        let mut tasks = grouped(visible, |task| (&task.column_id, self.task(task)));
        let mut columns = grouped(sorted(&self.columns, |column| (column.order, &column.id)), |column| {
            (&column.board_id, Column { tasks: tasks.remove(&column.id).unwrap_or_default(), ..column.clone() })
        });
        let boards = self.boards.iter().filter(|board| sees_board(user, board));
        let boards = sorted(boards, |board| (board.order, board.created_at, &board.id)).into_iter();
        let with_columns =
            |board: &Board| Board { columns: columns.remove(&board.id).unwrap_or_default(), ..board.clone() };
        boards.map(with_columns).collect()
    }

    /// Lists the events in the range.
    #[must_use]
    pub fn list_events(&self, range: &EventRange) -> Vec<Event> {
        let in_range = self.events.iter().filter(|event| {
            range.from.is_none_or(|from| event.start_date >= from) && range.to.is_none_or(|to| event.end_date <= to)
        });
        self.events_with_assignee(in_range)
    }

    /// Lists the events without a recurrence that overlap the range, and all events with a recurrence.
    #[must_use]
    pub fn list_overlapping_events(&self, range: &Range<Timestamp>) -> Vec<Event> {
        let overlapping = self.events.iter().filter(|event| {
            event.recurrence.is_some() || (event.start_date < range.end && event.end_date >= range.start)
        });
        self.events_with_assignee(overlapping)
    }

    /// Sorts events and adds the assignee of each.
    fn events_with_assignee<'a>(&self, events: impl Iterator<Item = &'a Event>) -> Vec<Event> {
        let events = sorted(events, |event| (event.start_date, &event.id)).into_iter();
        let with_assignee =
            |event: &Event| Event { assignee: self.person(event.assignee_id.as_ref()), ..event.clone() };
        events.map(with_assignee).collect()
    }

    /// Lists the members of the family.
    #[must_use]
    pub fn list_members(&self) -> Vec<Person> {
        sorted(&self.people, |person| &person.id).into_iter().cloned().collect()
    }

    /// Lists the shopping lists that the user sees, with their items.
    #[must_use]
    pub fn list_shopping(&self, user: &UserId) -> Vec<ShoppingList> {
        let visible = self.items.iter().filter(|item| sees(user, item.is_private, item.added_by_id.as_ref()));
        let visible = sorted(visible, |item| (item.checked, item.created_at, &item.id));
        let mut items = grouped(visible, |item| {
            (&item.list_id, ShoppingItem { added_by: self.person(item.added_by_id.as_ref()), ..item.clone() })
        });
        let lists = self.lists.iter().filter(|list| sees_list(user, list));
        let lists = sorted(lists, |list| (list.sort_order, &list.name, &list.id)).into_iter();
        let with_items = |list: &ShoppingList| {
            let items = items.remove(&list.id).unwrap_or_default();
            ShoppingList { items, ..list.clone() }
        };
        lists.map(with_items).collect()
    }

    /// Lists the notes.
    #[must_use]
    pub fn list_notes(&self) -> Vec<Note> {
        let mut notes: Vec<_> = self.notes.iter().map(|note| self.note(note)).collect();
        notes.sort_by(|a, b| (b.pinned, b.updated_at, &a.id).cmp(&(a.pinned, a.updated_at, &b.id)));
        notes
    }

    /// Lists the deleted records of a resource that the user can restore, in any order.
    pub(super) fn list_restorable(
        &self,
        user: &UserId,
        resource: ResourceKind,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        let deleted = self.deleted.iter().filter(|deleted| deleted.kind.resource() == resource);
        let titles = deleted.map(|deleted| {
            let title = match deleted.kind {
                RecordKind::Task => {
                    let task: Task = parse_deleted(&deleted.record)?;
                    self.sees_task(user, &task).then_some(task.title)
                }
                RecordKind::ShoppingItem => {
                    let item: ShoppingItem = parse_deleted(&deleted.record)?;
                    let list = self.lists.iter().find(|list| list.id == item.list_id);
                    let is_visible = list.is_some_and(|list| sees_list(user, list))
                        && sees(user, item.is_private, item.added_by_id.as_ref());
                    is_visible.then_some(item.name)
                }
                RecordKind::Event => Some(parse_deleted::<Event>(&deleted.record)?.title),
                RecordKind::Note => Some(parse_deleted::<Note>(&deleted.record)?.title),
                _ => None,
            };
            Ok(title.map(|title| RestorableEntry::new(deleted, title)).filter(|entry| query.selects(entry)))
        });
        titles.filter_map(Result::transpose).collect()
    }

    /// Returns the board of a column, if the user sees it.
    pub(super) fn board_of(&self, user: &UserId, column: &ColumnId) -> Option<&Board> {
        let column = self.columns.iter().find(|other| other.id == *column)?;
        self.boards.iter().find(|board| board.id == column.board_id && sees_board(user, board))
    }

    /// Whether the user sees both the task and its board.
    pub(super) fn sees_task(&self, user: &UserId, task: &Task) -> bool {
        sees_task_regardless_of_board(user, task) && self.board_of(user, &task.column_id).is_some()
    }

    /// Returns the person if they are in the family now.
    pub(super) fn person(&self, id: Option<&UserId>) -> Option<Person> {
        id.and_then(|id| self.people.iter().find(|person| person.id == *id)).cloned()
    }

    pub(super) fn category(&self, id: Option<&CategoryId>) -> Option<NoteCategory> {
        id.and_then(|id| self.categories.iter().find(|category| category.id == *id)).cloned()
    }

    /// Returns the task with its people.
    pub(super) fn task(&self, task: &Task) -> Task {
        Task {
            assignee: self.person(task.assignee_id.as_ref()),
            creator: self.person(task.creator_id.as_ref()),
            ..task.clone()
        }
    }

    /// Returns the note with its author and its category.
    pub(super) fn note(&self, note: &Note) -> Note {
        Note {
            author: self.person(note.author_id.as_ref()),
            category: self.category(note.category_id.as_ref()),
            ..note.clone()
        }
    }
}

pub(super) fn sees_board(user: &UserId, board: &Board) -> bool {
    sees(user, board.is_private, board.owner_user_id.as_ref())
}

pub(super) fn sees_list(user: &UserId, list: &ShoppingList) -> bool {
    sees(user, list.is_private, list.owner_user_id.as_ref())
}

/// Whether the user sees the task, regardless of its board.
fn sees_task_regardless_of_board(user: &UserId, task: &Task) -> bool {
    sees(user, task.is_private, task.creator_id.as_ref())
}

fn sorted<'a, R, K: Ord>(records: impl IntoIterator<Item = &'a R>, key: impl Fn(&'a R) -> K) -> Vec<&'a R> {
    let mut records: Vec<_> = records.into_iter().collect();
    records.sort_by_key(|record| key(record));
    records
}

/// Converts the records and groups the results by container. Keeps the order within a container.
fn grouped<'a, R, P: Ord, T>(records: Vec<&'a R>, convert: impl FnMut(&'a R) -> (&'a P, T)) -> BTreeMap<&'a P, Vec<T>> {
    let mut groups = BTreeMap::<_, Vec<T>>::new();
    for (container, content) in records.into_iter().map(convert) {
        groups.entry(container).or_default().push(content);
    }
    groups
}

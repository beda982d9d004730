//! The visibility, order and fields of the records that a member reads (HTTP reference, "Reads").

use std::collections::BTreeMap;
use std::ops::Range;

use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::id::{BoardId, CategoryId, ColumnId, ListId, UserId};
use family_api_core::resource::{
    AnyRecord, Board, Column, Event, Note, NoteCategory, Person, RecordKind, ShoppingItem, ShoppingList, Task,
    TaskFilter, TaskStats,
};
use family_api_core::storage::{EventRecord, Member, NoteRecord, ShoppingItemRecord, TaskRecord};

use serde_json::{Value, json};

use super::{Model, build_resource, can_see, can_see_board};

/// The kind and the id of a record.
pub(crate) type RecordKey = (RecordKind, String);

/// Records, each without the records in it, and without the people and the category that it refers to.
pub(crate) type SeenRecords = BTreeMap<RecordKey, Value>;

/// Returns a record for [`SeenRecords`].
pub(crate) fn bare(record: &AnyRecord) -> (RecordKey, Value) {
    let mut bare = json!(record)["record"].take();
    let fields = bare.as_object_mut().unwrap();
    fields.retain(|name, _| {
        !["columns", "tasks", "items", "assignee", "creator", "author", "addedBy"].contains(&name.as_str())
    });
    if record.kind() == RecordKind::Note {
        fields.remove("category");
    }
    ((record.kind(), record.id().to_owned()), bare)
}

/// Everything that a member can read.
#[derive(Debug, PartialEq)]
pub(crate) struct MemberView(Vec<Board>, Vec<Event>, Vec<ShoppingList>, Vec<Note>);

impl Model {
    /// Returns everything that each member can read.
    pub(crate) fn member_views(&self) -> Vec<(Member, MemberView)> {
        let view = |member: &Member| {
            MemberView(
                self.boards(member, TaskFilter::All),
                self.events(member, &EventRange::default()),
                self.lists(member),
                self.notes(member),
            )
        };
        self.members().into_iter().map(|member| (member.clone(), view(&member))).collect()
    }

    /// Returns every record that the member sees.
    pub(crate) fn seen_records(&self, member: &Member) -> SeenRecords {
        let mut seen: Vec<AnyRecord> = Vec::new();
        for board in self.boards(member, TaskFilter::All) {
            for column in &board.columns {
                seen.extend(column.tasks.iter().cloned().map(AnyRecord::from));
                seen.push(column.clone().into());
            }
            seen.push(board.into());
        }
        for list in self.lists(member) {
            seen.extend(list.items.iter().cloned().map(AnyRecord::from));
            seen.push(list.into());
        }
        seen.extend(self.events(member, &EventRange::default()).into_iter().map(AnyRecord::from));
        seen.extend(self.notes(member).into_iter().map(AnyRecord::from));
        let categories = self.categories.iter().filter(|category| category.family_id == member.family);
        seen.extend(categories.cloned().map(NoteCategory::from).map(AnyRecord::from));
        seen.iter().map(bare).collect()
    }

    pub(super) fn boards(&self, member: &Member, filter: TaskFilter) -> Vec<Board> {
        let seen = self.boards.iter().filter(|board| can_see_board(member, board));
        let mut boards: Vec<Board> = seen
            .map(|board| Board { columns: self.columns(&board.id, member, filter), ..Board::from(board.clone()) })
            .collect();
        boards.sort_by_key(|board| (board.order, board.created_at, board.id.clone()));
        boards
    }

    fn columns(&self, board: &BoardId, member: &Member, filter: TaskFilter) -> Vec<Column> {
        let inside =
            self.columns.iter().filter(|column| column.family_id == member.family && column.board_id == *board);
        let mut columns: Vec<Column> = inside
            .map(|column| Column { tasks: self.tasks(&column.id, member, filter), ..Column::from(column.clone()) })
            .collect();
        columns.sort_by_key(|column| (column.order, column.id.clone()));
        columns
    }

    fn tasks(&self, column: &ColumnId, member: &Member, filter: TaskFilter) -> Vec<Task> {
        let seen = self.tasks.iter().filter(|task| {
            task.column_id == *column
                && self.can_see_task(member, task)
                && matches_filter(filter, task.completed_at.is_some())
        });
        let mut tasks: Vec<Task> = seen.map(|task| self.task(member, task)).collect();
        tasks.sort_by_key(|task| (task.order, task.id.clone()));
        tasks
    }

    pub(super) fn task(&self, member: &Member, task: &TaskRecord) -> Task {
        let assignee = self.person(task.assignee_id.as_ref(), member);
        let creator = self.person(task.creator_id.as_ref(), member);
        Task { assignee, creator, ..Task::from(task.clone()) }
    }

    pub(super) fn events(&self, member: &Member, range: &EventRange) -> Vec<Event> {
        self.events_if(member, |event| {
            range.from.is_none_or(|from| from <= event.start_date) && range.to.is_none_or(|to| event.end_date <= to)
        })
    }

    pub(super) fn overlapping_events(&self, member: &Member, range: &Range<Timestamp>) -> Vec<Event> {
        self.events_if(member, |event| match event.recurrence {
            None => event.end_date >= range.start && event.start_date < range.end,
            Some(_) => true,
        })
    }

    fn events_if(&self, member: &Member, is_selected: impl Fn(&EventRecord) -> bool) -> Vec<Event> {
        let inside = self.events.iter().filter(|event| event.family_id == member.family);
        let mut events: Vec<Event> =
            inside.filter(|event| is_selected(event)).map(|event| self.event(member, event)).collect();
        events.sort_by_key(|event| (event.start_date, event.id.clone()));
        events
    }

    pub(super) fn event(&self, member: &Member, event: &EventRecord) -> Event {
        Event { assignee: self.person(event.assignee_id.as_ref(), member), ..Event::from(event.clone()) }
    }

    pub(super) fn lists(&self, member: &Member) -> Vec<ShoppingList> {
        let seen = self.lists.iter().filter(|list| {
            list.family_id == member.family && can_see(member, list.is_private, list.owner_user_id.as_ref())
        });
        let mut lists: Vec<ShoppingList> = seen
            .map(|list| ShoppingList { items: self.items(&list.id, member), ..ShoppingList::from(list.clone()) })
            .collect();
        lists.sort_by_key(|list| (list.sort_order, list.name.clone(), list.id.clone()));
        lists
    }

    fn items(&self, list: &ListId, member: &Member) -> Vec<ShoppingItem> {
        let seen = self.items.iter().filter(|item| {
            item.family_id == member.family
                && item.list_id == *list
                && can_see(member, item.is_private, item.added_by_id.as_ref())
        });
        let mut items: Vec<ShoppingItem> = seen.map(|item| self.item(member, item)).collect();
        items.sort_by_key(|item| (item.checked, item.created_at, item.id.clone()));
        items
    }

    pub(super) fn item(&self, member: &Member, item: &ShoppingItemRecord) -> ShoppingItem {
        ShoppingItem { added_by: self.person(item.added_by_id.as_ref(), member), ..ShoppingItem::from(item.clone()) }
    }

    pub(super) fn notes(&self, member: &Member) -> Vec<Note> {
        let inside = self.notes.iter().filter(|note| note.family_id == member.family);
        let mut notes: Vec<Note> = inside.map(|note| self.note(member, note)).collect();
        notes.sort_by_key(|note| (!note.pinned, std::cmp::Reverse(note.updated_at), note.id.clone()));
        notes
    }

    pub(super) fn note(&self, member: &Member, note: &NoteRecord) -> Note {
        let author = self.person(note.author_id.as_ref(), member);
        let category = self.category(note.category_id.as_ref(), member);
        Note { author, category, ..Note::from(note.clone()) }
    }

    fn category(&self, id: Option<&CategoryId>, member: &Member) -> Option<NoteCategory> {
        let mut inside = self.categories.iter().filter(|category| category.family_id == member.family);
        inside.find(|category| Some(&category.id) == id).cloned().map(NoteCategory::from)
    }

    pub(super) fn people(&self, member: &Member) -> Vec<Person> {
        let inside = self.users.iter().filter(|user| user.family_id.as_ref() == Some(&member.family));
        let mut people: Vec<Person> =
            inside.map(|user| build_resource! { Person of user: id name image color emoji; }).collect();
        people.sort_by_key(|person| person.id.clone());
        people
    }

    /// Returns `None` if the person has left the family or does not exist. The field with the person's id, such as `author_id`, keeps its value.
    fn person(&self, id: Option<&UserId>, member: &Member) -> Option<Person> {
        let user = self.family_member(id?, &member.family)?;
        Some(build_resource! { Person of user: id name image color emoji; })
    }

    pub(super) fn task_stats(&self, member: &Member, periods: &StatsPeriods) -> TaskStats {
        let mine = self.tasks.iter().filter(|task| {
            let owner = task.assignee_id.as_ref().or(task.creator_id.as_ref());
            owner == Some(&member.user) && self.can_see_task(member, task)
        });
        let mut stats = TaskStats { my_open: 0, done_today: 0, done_week: 0, done_total: 0 };
        for task in mine {
            match task.completed_at {
                None => stats.my_open += 1,
                Some(at) => {
                    stats.done_total += 1;
                    stats.done_today += u64::from(periods.today.contains(&at));
                    stats.done_week += u64::from(periods.week.contains(&at));
                }
            }
        }
        stats
    }
}

fn matches_filter(filter: TaskFilter, is_done: bool) -> bool {
    match filter {
        TaskFilter::Open => !is_done,
        TaskFilter::Done => is_done,
        TaskFilter::All => true,
    }
}

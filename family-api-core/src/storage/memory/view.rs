//! A family's data as one member sees it: what is visible, and the records as section 5 of the contract shapes them.

use crate::id::UserId;
use crate::resource::{Board, Column, Event, Note, NoteCategory, Person, ShoppingItem, ShoppingList, Task};
use crate::storage::Member;
use crate::storage::memory::state::{Family, State};
use crate::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, NoteRecord, ShoppingItemRecord, ShoppingListRecord,
    TaskRecord,
};

pub(super) struct View<'a> {
    pub(super) state: &'a State,
    pub(super) family: &'a Family,
    pub(super) member: &'a Member,
}

impl State {
    /// What the member sees; `None` where there is no such family.
    pub(super) fn view<'a>(&'a self, member: &'a Member) -> Option<View<'a>> {
        let family = self.families.get(&member.family)?;
        Some(View { state: self, family, member })
    }
}

impl View<'_> {
    fn may_see(&self, is_private: bool, owner: Option<&UserId>) -> bool {
        !is_private || owner == Some(&self.member.user)
    }

    pub(super) fn sees_board(&self, board: &BoardRecord) -> bool {
        self.may_see(board.is_private, board.owner_user_id.as_ref())
    }

    /// The board of a column, if the member sees it.
    pub(super) fn board_of(&self, column: &ColumnRecord) -> Option<&BoardRecord> {
        self.family.boards.get(&column.board_id).filter(|board| self.sees_board(board))
    }

    /// Judges the task alone, without the board that it is on.
    pub(super) fn sees_task_itself(&self, task: &TaskRecord) -> bool {
        self.may_see(task.is_private, task.creator_id.as_ref())
    }

    /// Judges the board first, then the task.
    pub(super) fn sees_task(&self, task: &TaskRecord) -> bool {
        let column = self.family.columns.get(&task.column_id);
        column.is_some_and(|column| self.board_of(column).is_some()) && self.sees_task_itself(task)
    }

    pub(super) fn sees_list(&self, list: &ShoppingListRecord) -> bool {
        self.may_see(list.is_private, list.owner_user_id.as_ref())
    }

    /// Judges the item alone, without the list that it is on.
    pub(super) fn sees_item_itself(&self, item: &ShoppingItemRecord) -> bool {
        self.may_see(item.is_private, item.added_by_id.as_ref())
    }

    /// Somebody who is in the family now.
    pub(super) fn person(&self, id: Option<&UserId>) -> Option<Person> {
        let user = self.state.users.get(id?)?;
        (user.family_id.as_ref() == Some(&self.member.family)).then(|| Person {
            id: user.id.clone(),
            name: user.name.clone(),
            image: user.image.clone(),
            color: user.color.clone(),
            emoji: user.emoji.clone(),
        })
    }

    pub(super) fn task(&self, task: &TaskRecord) -> Task {
        let task = task.clone();
        Task {
            assignee: self.person(task.assignee_id.as_ref()),
            creator: self.person(task.creator_id.as_ref()),
            completed: task.completed_at.is_some(),
            id: task.id,
            column_id: task.column_id,
            title: task.title,
            description: task.description,
            priority: task.priority,
            due_date: task.due_date,
            completed_at: task.completed_at,
            order: task.order,
            labels: task.labels,
            is_private: task.is_private,
            assignee_id: task.assignee_id,
            creator_id: task.creator_id,
            created_at: task.created_at,
            updated_at: task.updated_at,
        }
    }

    pub(super) fn event(&self, event: &EventRecord) -> Event {
        let event = event.clone();
        Event {
            assignee: self.person(event.assignee_id.as_ref()),
            id: event.id,
            title: event.title,
            description: event.description,
            emoji: event.emoji,
            color: event.color,
            start_date: event.start_date,
            end_date: event.end_date,
            all_day: event.all_day,
            location: event.location,
            recurrence: event.recurrence,
            assignee_id: event.assignee_id,
            created_at: event.created_at,
            updated_at: event.updated_at,
        }
    }

    pub(super) fn item(&self, item: &ShoppingItemRecord) -> ShoppingItem {
        let item = item.clone();
        ShoppingItem {
            added_by: self.person(item.added_by_id.as_ref()),
            id: item.id,
            list_id: item.list_id,
            name: item.name,
            quantity: item.quantity,
            category: item.category,
            checked: item.checked,
            is_private: item.is_private,
            added_by_id: item.added_by_id,
            created_at: item.created_at,
        }
    }

    pub(super) fn note(&self, note: &NoteRecord) -> Note {
        let note = note.clone();
        let category = note.category_id.as_ref().and_then(|id| self.family.categories.get(id));
        Note {
            author: self.person(note.author_id.as_ref()),
            category: category.map(shape_category),
            id: note.id,
            title: note.title,
            content: note.content,
            emoji: note.emoji,
            color: note.color,
            pinned: note.pinned,
            tags: note.tags,
            author_id: note.author_id,
            category_id: note.category_id,
            created_at: note.created_at,
            updated_at: note.updated_at,
        }
    }
}

pub(super) fn shape_category(category: &CategoryRecord) -> NoteCategory {
    let category = category.clone();
    NoteCategory {
        id: category.id,
        name: category.name,
        emoji: category.emoji,
        color: category.color,
        parent_id: category.parent_id,
    }
}

pub(super) fn shape_board(board: &BoardRecord, columns: Vec<Column>) -> Board {
    let board = board.clone();
    Board {
        id: board.id,
        name: board.name,
        description: board.description,
        emoji: board.emoji,
        color: board.color,
        order: board.order,
        is_private: board.is_private,
        owner_user_id: board.owner_user_id,
        created_at: board.created_at,
        updated_at: board.updated_at,
        columns,
    }
}

pub(super) fn shape_column(column: &ColumnRecord, tasks: Vec<Task>) -> Column {
    let column = column.clone();
    Column {
        id: column.id,
        board_id: column.board_id,
        name: column.name,
        emoji: column.emoji,
        color: column.color,
        order: column.order,
        created_at: column.created_at,
        tasks,
    }
}

pub(super) fn shape_list(list: &ShoppingListRecord, items: Vec<ShoppingItem>) -> ShoppingList {
    let list = list.clone();
    ShoppingList {
        id: list.id,
        name: list.name,
        emoji: list.emoji,
        sort_order: list.sort_order,
        is_private: list.is_private,
        owner_user_id: list.owner_user_id,
        created_at: list.created_at,
        updated_at: list.updated_at,
        items,
    }
}

//! A family's data as one member sees it: what is visible, and who stands beside an id.

use crate::id::{CategoryId, UserId};
use crate::resource::{Board, Column, Event, Note, NoteCategory, Person, ShoppingItem, ShoppingList, Task};
use crate::storage::Member;
use crate::storage::memory::state::{Family, State};

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

    pub(super) fn sees_board(&self, board: &Board) -> bool {
        self.may_see(board.is_private, board.owner_user_id.as_ref())
    }

    /// The board of a column, if the member sees it.
    pub(super) fn board_of(&self, column: &Column) -> Option<&Board> {
        self.family.boards.get(&column.board_id).filter(|board| self.sees_board(board))
    }

    /// Judges the task alone, without the board that it is on.
    pub(super) fn sees_task_itself(&self, task: &Task) -> bool {
        self.may_see(task.is_private, task.creator_id.as_ref())
    }

    /// Judges the board first, then the task.
    pub(super) fn sees_task(&self, task: &Task) -> bool {
        let column = self.family.columns.get(&task.column_id);
        column.is_some_and(|column| self.board_of(column).is_some()) && self.sees_task_itself(task)
    }

    pub(super) fn sees_list(&self, list: &ShoppingList) -> bool {
        self.may_see(list.is_private, list.owner_user_id.as_ref())
    }

    /// Judges the item alone, without the list that it is on.
    pub(super) fn sees_item_itself(&self, item: &ShoppingItem) -> bool {
        self.may_see(item.is_private, item.added_by_id.as_ref())
    }

    /// Somebody who is in the family now.
    pub(super) fn person(&self, id: Option<&UserId>) -> Option<Person> {
        let profile = self.state.profile(id?)?;
        (profile.family_id.as_ref() == Some(&self.member.family)).then(|| Person::from(&profile))
    }

    pub(super) fn category(&self, id: Option<&CategoryId>) -> Option<NoteCategory> {
        self.family.categories.get(id?).cloned()
    }

    pub(super) fn task(&self, task: &Task) -> Task {
        Task {
            assignee: self.person(task.assignee_id.as_ref()),
            creator: self.person(task.creator_id.as_ref()),
            ..task.clone()
        }
    }

    pub(super) fn event(&self, event: &Event) -> Event {
        Event { assignee: self.person(event.assignee_id.as_ref()), ..event.clone() }
    }

    pub(super) fn item(&self, item: &ShoppingItem) -> ShoppingItem {
        ShoppingItem { added_by: self.person(item.added_by_id.as_ref()), ..item.clone() }
    }

    pub(super) fn note(&self, note: &Note) -> Note {
        Note {
            author: self.person(note.author_id.as_ref()),
            category: self.category(note.category_id.as_ref()),
            ..note.clone()
        }
    }
}

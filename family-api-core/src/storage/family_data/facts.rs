//! The rows of each kind of record, and the facts that the rules of its writes need.

use crate::Timestamp;
use crate::change::{
    BoardFacts, BoardOwner, ColumnFacts, Creator, Destination, EventFacts, NoteCategoryFacts, NoteFacts,
    ShoppingItemFacts, ShoppingListFacts, TaskFacts, TaskWrite,
};
use crate::id::{ColumnId, ListId, UserId};
use crate::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use crate::storage::family_data::visibility::{sees_board, sees_list};
use crate::storage::write_sequence::Target;
use crate::storage::{Audience, FamilyData, FamilyWrite, Writable};

/// A kind of record whose rows are in [`FamilyData`].
pub(in crate::storage) trait RowKind: Writable {
    /// Returns the rows of the kind.
    fn rows(data: &FamilyData) -> &[Self];

    fn rows_mut(data: &mut FamilyData) -> &mut Vec<Self>;

    /// Returns who sees the record.
    fn audience(&self, _data: &FamilyData) -> Audience {
        Audience::Everyone
    }

    /// Returns whether the user sees the record.
    fn is_visible(&self, data: &FamilyData, user: &UserId) -> bool {
        self.audience(data).includes(user)
    }

    /// Returns whether the record contains other records.
    fn is_filled(&self, _data: &FamilyData) -> bool {
        false
    }

    /// Returns the record with the people and the category that it refers to, and without the records that it contains.
    #[must_use]
    fn joined(self, _data: &FamilyData) -> Self {
        self.bare()
    }

    /// Adds the other facts to the record.
    fn facts(self, data: &FamilyData, user: &UserId, target: &Target<'_, Self>) -> Self::Facts;

    fn family_write(write: Self::Write) -> FamilyWrite;

    /// Returns the other rows that change before the record is stored. `None` if they can be too many for the log.
    fn shifted<'d>(_data: &'d FamilyData, _write: &Self::Write) -> Option<Vec<&'d Self>> {
        Some(Vec::new())
    }

    /// Changes other rows before the record is stored.
    fn make_room(_data: &mut FamilyData, _write: &Self::Write) {}
}

impl FamilyData {
    /// Collects the facts for the rules of a write. Returns `None` if the user does not see the stored record.
    pub(in crate::storage) fn find_facts<R: RowKind>(
        &self,
        user: &UserId,
        target: &Target<'_, R>,
        now: Timestamp,
    ) -> Option<R::Facts> {
        let record = match target {
            Target::Stored(id, _) => self.find_visible::<R>(user, id)?.clone(),
            Target::New(id, _) => {
                R::blank((*id).clone(), &Creator { user, person: self.person(Some(user)).as_ref() }, now)
            }
            Target::Deleted(record) => (*record).clone(),
        };
        Some(record.joined(self).facts(self, user, target))
    }

    /// Finds a record that the user sees.
    pub(in crate::storage) fn find_visible<R: RowKind>(&self, user: &UserId, id: &R::Id) -> Option<&R> {
        R::rows(self).iter().find(|record| record.id() == id && record.is_visible(self, user))
    }

    /// Finds the column, and the `order` of a task that is appended to it. Tasks that the user does not see count too.
    fn destination(&self, user: &UserId, column: &ColumnId, task: &Task) -> Option<Destination> {
        let board = self.board_owner(user, column)?;
        let others = self.tasks.iter().filter(|other| other.column_id == *column && other.id != task.id);
        Some(Destination { column: column.clone(), board, end: end(others.map(|other| other.order)) })
    }

    /// Finds the first column that the user sees.
    fn first_column(&self, user: &UserId) -> Option<&ColumnId> {
        let columns = self.columns.iter().filter_map(|column| {
            let board = self.board_of(user, &column.id)?;
            Some((board.order, board.created_at, &board.id, column.order, &column.id))
        });
        columns.min().map(|(.., column)| column)
    }

    /// Returns the owner of the column's board, if the user sees the board. A user sees only their own private boards.
    fn board_owner(&self, user: &UserId, column: &ColumnId) -> Option<BoardOwner> {
        let board = self.board_of(user, column)?;
        Some(if board.is_private { BoardOwner::User(user.clone()) } else { BoardOwner::Family })
    }
}

/// Returns the position after the last one, or 0 if there is none.
fn end(orders: impl Iterator<Item = i64>) -> i64 {
    orders.map(|order| order.saturating_add(1)).max().unwrap_or(0)
}

/// Implements the methods of [`RowKind`] that return the field of [`FamilyData`], and `family_write`.
macro_rules! rows {
    ($rows:ident, $Kind:ident) => {
        fn rows(data: &FamilyData) -> &[Self] {
            &data.$rows
        }

        fn rows_mut(data: &mut FamilyData) -> &mut Vec<Self> {
            &mut data.$rows
        }

        fn family_write(write: Self::Write) -> FamilyWrite {
            FamilyWrite::$Kind(write)
        }
    };
}

impl RowKind for Task {
    rows!(tasks, Task);

    fn audience(&self, data: &FamilyData) -> Audience {
        let column = data.columns.iter().find(|column| column.id == self.column_id);
        let own = Audience::of(self.is_private, self.creator_id.as_ref());
        column.map_or(Audience::NoOne, |column| column.audience(data)).and(own)
    }

    fn joined(self, data: &FamilyData) -> Self {
        data.task(&self)
    }

    fn facts(self, data: &FamilyData, user: &UserId, target: &Target<'_, Self>) -> TaskFacts {
        let first = if target.takes_first_column() { data.first_column(user) } else { None };
        let column = target.column().or(first);
        TaskFacts {
            board: data.board_owner(user, &self.column_id).unwrap_or(BoardOwner::Family),
            destination: column.and_then(|column| data.destination(user, column, &self)),
            assignee: data.person(target.assignee()),
            task: self,
        }
    }

    fn shifted<'d>(data: &'d FamilyData, write: &TaskWrite) -> Option<Vec<&'d Self>> {
        if write.makes_room { data.shifted(&write.task) } else { Some(Vec::new()) }
    }

    fn make_room(data: &mut FamilyData, write: &TaskWrite) {
        if write.makes_room {
            data.make_room(&write.task);
        }
    }
}

impl RowKind for Note {
    rows!(notes, Note);

    fn joined(self, data: &FamilyData) -> Self {
        data.note(&self)
    }

    fn facts(self, data: &FamilyData, _: &UserId, target: &Target<'_, Self>) -> NoteFacts {
        NoteFacts { category: data.category(target.category()), note: self }
    }
}

impl RowKind for Event {
    rows!(events, Event);

    fn joined(self, data: &FamilyData) -> Self {
        Self { assignee: data.person(self.assignee_id.as_ref()), ..self }
    }

    fn facts(self, data: &FamilyData, _: &UserId, target: &Target<'_, Self>) -> EventFacts {
        let members = target.names_participants().then(|| data.people.iter().map(|person| person.id.clone()).collect());
        EventFacts { assignee: data.person(target.assignee()), members, event: self }
    }
}

impl RowKind for ShoppingItem {
    rows!(items, ShoppingItem);

    fn audience(&self, data: &FamilyData) -> Audience {
        let list = data.lists.iter().find(|list| list.id == self.list_id);
        let own = Audience::of(self.is_private, self.added_by_id.as_ref());
        list.map_or(Audience::NoOne, |list| list.audience(data)).and(own)
    }

    fn joined(self, data: &FamilyData) -> Self {
        Self { added_by: data.person(self.added_by_id.as_ref()), ..self }
    }

    fn facts(self, data: &FamilyData, user: &UserId, target: &Target<'_, Self>) -> ShoppingItemFacts {
        let list: Option<&ListId> =
            target.list().filter(|list| data.find_visible::<ShoppingList>(user, list).is_some());
        ShoppingItemFacts { list: list.cloned(), item: self }
    }
}

impl RowKind for Board {
    rows!(boards, Board);

    fn audience(&self, _: &FamilyData) -> Audience {
        Audience::of(self.is_private, self.owner_user_id.as_ref())
    }

    fn is_filled(&self, data: &FamilyData) -> bool {
        data.columns.iter().any(|column| column.board_id == self.id)
    }

    fn facts(self, data: &FamilyData, user: &UserId, _: &Target<'_, Self>) -> BoardFacts {
        let boards = data.boards.iter().filter(|board| sees_board(user, board));
        BoardFacts { end: end(boards.map(|board| board.order)), board: self }
    }
}

impl RowKind for Column {
    rows!(columns, Column);

    fn audience(&self, data: &FamilyData) -> Audience {
        let board = data.boards.iter().find(|board| board.id == self.board_id);
        board.map_or(Audience::NoOne, |board| board.audience(data))
    }

    fn is_filled(&self, data: &FamilyData) -> bool {
        data.tasks.iter().any(|task| task.column_id == self.id)
    }

    fn facts(self, data: &FamilyData, user: &UserId, target: &Target<'_, Self>) -> ColumnFacts {
        let board = target.board().filter(|board| data.find_visible::<Board>(user, board).is_some());
        let columns = data.columns.iter().filter(|column| Some(&column.board_id) == board);
        ColumnFacts { board: board.cloned(), end: end(columns.map(|column| column.order)), column: self }
    }
}

impl RowKind for ShoppingList {
    rows!(lists, ShoppingList);

    fn audience(&self, _: &FamilyData) -> Audience {
        Audience::of(self.is_private, self.owner_user_id.as_ref())
    }

    fn is_filled(&self, data: &FamilyData) -> bool {
        data.items.iter().any(|item| item.list_id == self.id)
    }

    fn facts(self, data: &FamilyData, user: &UserId, _: &Target<'_, Self>) -> ShoppingListFacts {
        let lists = data.lists.iter().filter(|list| sees_list(user, list));
        ShoppingListFacts { end: end(lists.map(|list| list.sort_order)), list: self }
    }
}

impl RowKind for NoteCategory {
    rows!(categories, NoteCategory);

    fn is_filled(&self, data: &FamilyData) -> bool {
        let is_parent = |other: &Self| other.parent_id.as_ref() == Some(&self.id);
        let contains = |note: &Note| note.category_id.as_ref() == Some(&self.id);
        data.categories.iter().any(is_parent) || data.notes.iter().any(contains)
    }

    fn facts(self, _: &FamilyData, _: &UserId, _: &Target<'_, Self>) -> NoteCategoryFacts {
        NoteCategoryFacts { category: self }
    }
}

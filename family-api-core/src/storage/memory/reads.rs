//! The five resources, as a member of the family sees them.

use async_trait::async_trait;

use crate::calendar::{EventRange, StatsPeriods};
use crate::id::{BoardId, ColumnId, ListId};
use crate::resource::{Board, Column, Document, Event, Note, ShoppingItem, ShoppingList, Task, TaskFilter, TaskStats};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::view::View;
use crate::storage::{Member, Reads, StorageError};

#[async_trait]
impl Reads for MemoryStorage {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let boards = self.lock()?.state.view(member).map(|view| view.boards(filter));
        Document::of(&boards.unwrap_or_default())
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let events = self.lock()?.state.view(member).map(|view| view.events(range));
        Document::of(&events.unwrap_or_default())
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let lists = self.lock()?.state.view(member).map(|view| view.lists());
        Document::of(&lists.unwrap_or_default())
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let notes = self.lock()?.state.view(member).map(|view| view.notes());
        Document::of(&notes.unwrap_or_default())
    }

    async fn find_task_stats(&self, member: &Member, periods: &StatsPeriods) -> Result<TaskStats, StorageError> {
        let stats = self.lock()?.state.view(member).map(|view| view.task_stats(periods));
        Ok(stats.unwrap_or_default())
    }
}

impl View<'_> {
    fn boards(&self, filter: TaskFilter) -> Vec<Board> {
        let visible = self.family.boards.values().filter(|board| self.sees_board(board));
        let whole = |board: &Board| Board { columns: self.columns(&board.id, filter), ..board.clone() };
        let mut boards: Vec<_> = visible.map(whole).collect();
        boards.sort_by(|a, b| (a.order, a.created_at, &a.id).cmp(&(b.order, b.created_at, &b.id)));
        boards
    }

    fn columns(&self, board: &BoardId, filter: TaskFilter) -> Vec<Column> {
        let of_board = self.family.columns.values().filter(|column| column.board_id == *board);
        let whole = |column: &Column| Column { tasks: self.tasks(&column.id, filter), ..column.clone() };
        let mut columns: Vec<_> = of_board.map(whole).collect();
        columns.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        columns
    }

    fn tasks(&self, column: &ColumnId, filter: TaskFilter) -> Vec<Task> {
        let of_column = self.family.tasks.values().filter(|task| task.column_id == *column);
        let visible = of_column.filter(|task| self.sees_task_itself(task) && filter.lets_through(task));
        let mut tasks: Vec<_> = visible.map(|task| self.task(task)).collect();
        tasks.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        tasks
    }

    fn events(&self, range: &EventRange) -> Vec<Event> {
        let in_range = self.family.events.values().filter(|event| {
            range.from.is_none_or(|from| event.start_date >= from) && range.to.is_none_or(|to| event.end_date <= to)
        });
        let mut events: Vec<_> = in_range.map(|event| self.event(event)).collect();
        events.sort_by(|a, b| (a.start_date, &a.id).cmp(&(b.start_date, &b.id)));
        events
    }

    fn lists(&self) -> Vec<ShoppingList> {
        let visible = self.family.lists.values().filter(|list| self.sees_list(list));
        let whole = |list: &ShoppingList| ShoppingList { items: self.items(&list.id), ..list.clone() };
        let mut lists: Vec<_> = visible.map(whole).collect();
        lists.sort_by(|a, b| (a.sort_order, &a.name, &a.id).cmp(&(b.sort_order, &b.name, &b.id)));
        lists
    }

    fn items(&self, list: &ListId) -> Vec<ShoppingItem> {
        let of_list = self.family.items.values().filter(|item| item.list_id == *list);
        let mut items: Vec<_> =
            of_list.filter(|item| self.sees_item_itself(item)).map(|item| self.item(item)).collect();
        items.sort_by(|a, b| (a.checked, a.created_at, &a.id).cmp(&(b.checked, b.created_at, &b.id)));
        items
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes: Vec<_> = self.family.notes.values().map(|note| self.note(note)).collect();
        notes.sort_by(|a, b| (b.pinned, b.updated_at, &a.id).cmp(&(a.pinned, a.updated_at, &b.id)));
        notes
    }

    fn task_stats(&self, periods: &StatsPeriods) -> TaskStats {
        let mut stats = TaskStats::default();
        for task in self.family.tasks.values().filter(|task| self.is_mine(task) && self.sees_task(task)) {
            match task.completed_at {
                None => stats.my_open += 1,
                Some(at) => {
                    stats.done_today += u64::from(periods.today.contains(&at));
                    stats.done_week += u64::from(periods.week.contains(&at));
                    stats.done_total += 1;
                }
            }
        }
        stats
    }

    /// Assigned to the member, or unassigned and created by them.
    fn is_mine(&self, task: &Task) -> bool {
        task.assignee_id.as_ref().or(task.creator_id.as_ref()) == Some(&self.member.user)
    }
}

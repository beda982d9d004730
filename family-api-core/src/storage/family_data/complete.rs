//! The containers of a family whose store keeps none.

use std::borrow::Cow;

use crate::id::{ColumnId, ListId};
use crate::resource::{Board, Column, RecordKind, ResourceKind, ShoppingList};
use crate::storage::{Capabilities, FamilyData};

/// Returns the rows with the containers that the store does not keep. All tasks and items are then in them.
pub(super) fn completed<'d>(data: Cow<'d, FamilyData>, capabilities: &Capabilities) -> Cow<'d, FamilyData> {
    let has_only_board =
        capabilities.keeps_resource(ResourceKind::Tasks) && !capabilities.keeps_kind(RecordKind::Board);
    let has_only_list =
        capabilities.keeps_resource(ResourceKind::Shopping) && !capabilities.keeps_kind(RecordKind::ShoppingList);
    if !has_only_board && !has_only_list {
        return data;
    }
    let mut data = data.into_owned();
    if has_only_board {
        data.boards = vec![Board::only(Vec::new())];
        data.columns = vec![Column::only(Vec::new())];
        data.tasks.iter_mut().for_each(|task| task.column_id = ColumnId::only());
    }
    if has_only_list {
        data.lists = vec![ShoppingList::only(Vec::new())];
        data.items.iter_mut().for_each(|item| item.list_id = ListId::only());
    }
    Cow::Owned(data)
}

//! Counts of a member's open and done tasks.

use family_api_core::resource::{Document, Revision, TaskStats};
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{StoredRow, Values};

use crate::visible::{is_member, visible};

/// Returns the statement that counts the tasks that are assigned to the member, and the unassigned tasks that the member
/// created. Each of the two is a separate lookup. If one `OR` condition selected both, SQLite would scan all tasks of the
/// family.
///
/// `$1` is the family, `$2` the user, `$3` and `$4` are today, `$5` and `$6` this week.
pub(crate) fn task_stats_sql(join: &str) -> String {
    format!(
        "WITH mine AS (
            SELECT column_id, is_private, creator_id, completed_at FROM tasks
            WHERE family_id = $1 AND assignee_id = $2
            UNION ALL
            SELECT column_id, is_private, creator_id, completed_at FROM tasks
            WHERE family_id = $1 AND assignee_id IS NULL AND creator_id = $2
        )
        SELECT count(*) FILTER (WHERE mine.completed_at IS NULL),
               count(*) FILTER (WHERE mine.completed_at >= $3 AND mine.completed_at < $4),
               count(*) FILTER (WHERE mine.completed_at >= $5 AND mine.completed_at < $6),
               count(mine.completed_at),
               (SELECT revision FROM families WHERE id = $1)
        FROM mine
        {join} columns c ON c.family_id = $1 AND c.id = mine.column_id
        {join} boards b ON b.family_id = $1 AND b.id = c.board_id
        WHERE {is_member} AND {board_is_visible} AND {task_is_visible}",
        is_member = is_member!("$2" of "$1"),
        board_is_visible = visible!(board "b" for "$2"),
        task_is_visible = visible!(task "mine" for "$2"),
    )
}

/// Returns the counts of tasks, and the revision of the family.
pub(crate) fn task_stats(values: &mut Values<'_, impl StoredRow>) -> Result<Document<TaskStats>, StorageError> {
    let mut count = || values.take::<i64>()?.try_into().map_err(StorageError::corrupt);
    let stats = TaskStats { my_open: count()?, done_today: count()?, done_week: count()?, done_total: count()? };
    Ok(Document::of(&stats)?.with_revision(values.take::<Option<_>>()?.map(Revision::new)))
}

//! Loading boards, columns and tasks.

use crate::storage::bulk::Kind;

const INSERT_BOARD: &str = r#"
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO boards
        (family_id, id, name, description, emoji, color, "order", is_private, owner_user_id, created_at, updated_at)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8, r.value ->> 9, r.value ->> 10
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0"#;

const INSERT_COLUMN: &str = r#"
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO columns
        (family_id, id, board_id, name, emoji, color, "order", created_at)
    SELECT b.family_id, r.value ->> 1, b.id, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6
    FROM r LEFT JOIN parents b ON b.kind = 'board' AND b.id = r.value ->> 0"#;

const INSERT_TASK: &str = r#"
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO tasks
        (family_id, id, column_id, title, description, priority, due_date, completed_at, "order", labels, is_private,
         assignee_id, creator_id, created_at, updated_at)
    SELECT c.family_id, r.value ->> 1, c.id, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           r.value ->> 6, r.value ->> 7, r.value ->> 8, r.value ->> 9, r.value ->> 10, r.value ->> 11,
           r.value ->> 12, r.value ->> 13
    FROM r LEFT JOIN parents c ON c.kind = 'column' AND c.id = r.value ->> 0"#;

pub(super) const BOARD: Kind = Kind::new("board", &[INSERT_BOARD], "familyId");

pub(super) const COLUMN: Kind = Kind::new("column", &[INSERT_COLUMN], "boardId");

pub(super) const TASK: Kind = Kind::new("task", &[INSERT_TASK], "columnId");

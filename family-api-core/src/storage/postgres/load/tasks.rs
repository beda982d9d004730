//! Loading boards, columns and tasks.

use crate::storage::bulk::Kind;

const REGISTER_BOARD: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent, has_owner)
    SELECT 'board', r.value ->> 1, f.id, ($2::bigint[])[r.place], f.id IS NOT NULL,
           r.value ->> 8 IS NULL OR u.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 0
    LEFT JOIN users u ON u.id = r.value ->> 8";

const INSERT_BOARD: &str = r#"
    INSERT INTO boards
        (family_id, id, name, description, emoji, color, "order", is_private, owner_user_id, created_at,
         updated_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           (r.value ->> 6)::bigint, (r.value ->> 7)::boolean, r.value ->> 8, (r.value ->> 9)::timestamptz,
           (r.value ->> 10)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'board' AND k.id = r.value ->> 1"#;

const REGISTER_COLUMN: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'column', r.value ->> 1, p.family_id, ($2::bigint[])[r.place], p.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN known_ids p ON p.kind = 'board' AND p.id = r.value ->> 0";

const INSERT_COLUMN: &str = r#"
    INSERT INTO columns
        (family_id, id, board_id, name, emoji, color, "order", created_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 0, r.value ->> 2, r.value ->> 3, r.value ->> 4,
           (r.value ->> 5)::bigint, (r.value ->> 6)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'column' AND k.id = r.value ->> 1"#;

const REGISTER_TASK: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'task', r.value ->> 1, p.family_id, ($2::bigint[])[r.place], p.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN known_ids p ON p.kind = 'column' AND p.id = r.value ->> 0";

const INSERT_TASK: &str = r#"
    INSERT INTO tasks
        (family_id, id, column_id, title, description, priority, due_date, completed_at, "order", labels,
         is_private, assignee_id, creator_id, created_at, updated_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 0, r.value ->> 2, r.value ->> 3, r.value ->> 4,
           (r.value ->> 5)::timestamptz, (r.value ->> 6)::timestamptz, (r.value ->> 7)::bigint,
           ARRAY(SELECT jsonb_array_elements_text(r.value -> 8)), (r.value ->> 9)::boolean, r.value ->> 10,
           r.value ->> 11, (r.value ->> 12)::timestamptz, (r.value ->> 13)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'task' AND k.id = r.value ->> 1"#;

pub(super) const BOARD: Kind = Kind::new("board", &[REGISTER_BOARD, INSERT_BOARD], "familyId");

pub(super) const COLUMN: Kind = Kind::new("column", &[REGISTER_COLUMN, INSERT_COLUMN], "boardId");

pub(super) const TASK: Kind = Kind::new("task", &[REGISTER_TASK, INSERT_TASK], "columnId");

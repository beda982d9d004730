//! The SQL statements. Both databases use the same text, except for the current time.

macro_rules! key {
    ($now:literal) => {
        concat!(
            "SELECT k.user_id, u.family_id, u.personal_api_enabled, k.scopes
             FROM integration_keys k
             JOIN users u ON u.id = k.user_id
             WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ",
            $now,
            ")"
        )
    };
}

pub(super) const SQLITE_KEY: &str = key!("strftime('%Y-%m-%dT%H:%M:%fZ')");
pub(super) const POSTGRES_KEY: &str = key!("now()");

pub(super) const BOARDS: &str = r#"
    SELECT id, name, description, emoji, color, "order", is_private, owner_user_id, created_at, updated_at
    FROM boards
    WHERE family_id = $1 AND (NOT is_private OR owner_user_id = $2)
    ORDER BY "order", created_at, id"#;

pub(super) const COLUMNS: &str = r#"
    SELECT id, board_id, name, emoji, color, "order", created_at
    FROM columns
    WHERE family_id = $1
    ORDER BY "order", id"#;

pub(super) const TASKS: &str = r#"
    SELECT t.id, t.column_id, t.title, t.description, t.priority, t.due_date, t.completed_at, t."order", t.labels,
           t.is_private, t.assignee_id, t.creator_id, t.created_at, t.updated_at,
           a.id, a.name, a.image, a.color, a.emoji, c.id, c.name, c.image, c.color, c.emoji,
           t.recurrence, t.last_completed_at, t.sequence
    FROM tasks t
    LEFT JOIN users a ON a.id = t.assignee_id AND a.family_id = $1
    LEFT JOIN users c ON c.id = t.creator_id AND c.family_id = $1
    WHERE t.family_id = $1 AND t.completed_at IS NULL AND (NOT t.is_private OR t.creator_id = $2)
    ORDER BY t."order", t.id"#;

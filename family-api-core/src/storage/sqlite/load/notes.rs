//! Loading note categories and notes.

use crate::storage::bulk::Kind;

const INSERT_CATEGORY: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO note_categories
        (family_id, id, name, emoji, color, parent_id)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_NOTE: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO notes
        (family_id, id, title, content, emoji, color, pinned, tags, author_id, category_id, created_at, updated_at)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8, r.value ->> 9, r.value ->> 10, r.value ->> 11
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0";

pub(super) const CATEGORY: Kind = Kind::new("noteCategory", &[INSERT_CATEGORY], "familyId").with_reference("parentId");

pub(super) const NOTE: Kind = Kind::new("note", &[INSERT_NOTE], "familyId").with_reference("categoryId");

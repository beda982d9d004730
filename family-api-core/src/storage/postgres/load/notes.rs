//! Loading note categories and notes.

use crate::storage::bulk::Kind;

const REGISTER_CATEGORY: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'noteCategory', r.value ->> 1, f.id, ($2::bigint[])[r.place], f.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_CATEGORY: &str = "
    INSERT INTO note_categories
        (family_id, id, name, emoji, color, parent_id)
    SELECT k.family_id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'noteCategory' AND k.id = r.value ->> 1";

const REGISTER_NOTE: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'note', r.value ->> 1, f.id, ($2::bigint[])[r.place], f.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_NOTE: &str = "
    INSERT INTO notes
        (family_id, id, title, content, emoji, color, pinned, tags, author_id, category_id, created_at,
         updated_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           (r.value ->> 6)::boolean, ARRAY(SELECT jsonb_array_elements_text(r.value -> 7)), r.value ->> 8,
           r.value ->> 9, (r.value ->> 10)::timestamptz, (r.value ->> 11)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'note' AND k.id = r.value ->> 1";

pub(super) const CATEGORY: Kind =
    Kind::new("noteCategory", &[REGISTER_CATEGORY, INSERT_CATEGORY], "familyId").with_reference("parentId");

pub(super) const NOTE: Kind = Kind::new("note", &[REGISTER_NOTE, INSERT_NOTE], "familyId").with_reference("categoryId");

//! Macros for SQL that builds JSON. `task!` builds the same text that serde writes for a `Task`, and so on.
//!
//! The SQL function `concat` builds the text, in half the time of `json_object`. `json_quote` encodes strings, numbers
//! and `NULL`. Booleans are stored as numbers, and `boolean!` encodes them. A value that is stored as JSON is copied.
//!
//! The macros can be used in all modules of [`sqlite`](super).

/// A JSON object, from names and the SQL of their values.
macro_rules! object {
    ($first:literal: $first_value:expr $(, $name:literal: $value:expr)* $(,)?) => {
        concat!("concat('{\"", $first, "\":', ", $first_value, $(", ',\"", $name, "\":', ", $value,)* ", '}')")
    };
}

/// A JSON array with an item for each row. `group_concat` keeps the order of the rows of a subquery. The macro makes a
/// list of arguments for `concat`, so that the array's text is not copied twice.
macro_rules! array {
    ($item:expr, of $rows:expr) => {
        concat!("'[', (SELECT group_concat(", $item, ", ',') FROM ", $rows, "), ']'")
    };
}

/// A string, a number or `null`.
macro_rules! value {
    ($sql:expr) => {
        concat!("json_quote(", $sql, ")")
    };
}

/// `true` or `false`, from the number that SQLite stores.
macro_rules! boolean {
    ($sql:expr) => {
        concat!("iif(", $sql, ", 'true', 'false')")
    };
}

/// A value that is stored as JSON, or `null` for `NULL`.
macro_rules! raw {
    ($sql:expr) => {
        concat!("coalesce(", $sql, ", 'null')")
    };
}

/// A [`Person`](crate::resource::Person) of the joined user, or `NULL` if no user was joined.
macro_rules! person {
    ($user:literal) => {
        concat!(
            "CASE WHEN ",
            $user,
            ".id IS NOT NULL THEN ",
            object! {
                "id": value!(concat!($user, ".id")),
                "name": value!(concat!($user, ".name")),
                "image": value!(concat!($user, ".image")),
                "color": value!(concat!($user, ".color")),
                "emoji": value!(concat!($user, ".emoji")),
            },
            " END"
        )
    };
}

/// A common table expression `people` with the members of the family `?1`. It builds the JSON of each
/// [`Person`](crate::resource::Person) once, even if many records refer to the same person.
macro_rules! people {
    () => {
        concat!(
            "WITH people AS MATERIALIZED (SELECT u.id, ",
            person!("u"),
            " AS person FROM users u WHERE u.family_id = ?1) "
        )
    };
}

/// The revision of the family `?1`. It is part of the document's statement, so both are read from the same snapshot.
macro_rules! revision {
    () => {
        "(SELECT revision FROM families WHERE id = ?1)"
    };
}

/// A [`Task`](crate::resource::Task) from `tasks t`, with the SQL of its assignee and of its creator.
macro_rules! task {
    ($assignee:expr, $creator:expr) => {
        object! {
            "id": value!("t.id"),
            "columnId": value!("t.column_id"),
            "title": value!("t.title"),
            "description": value!("t.description"),
            "priority": value!("t.priority"),
            "dueDate": value!("t.due_date"),
            "completed": boolean!("t.completed_at IS NOT NULL"),
            "completedAt": value!("t.completed_at"),
            "order": value!("t.\"order\""),
            "labels": raw!("t.labels"),
            "isPrivate": boolean!("t.is_private"),
            "assigneeId": value!("t.assignee_id"),
            "assignee": raw!($assignee),
            "creatorId": value!("t.creator_id"),
            "creator": raw!($creator),
            "createdAt": value!("t.created_at"),
            "updatedAt": value!("t.updated_at"),
        }
    };
}

/// A [`NoteCategory`](crate::resource::NoteCategory) of the joined category, or `NULL` if no category was joined.
macro_rules! category {
    ($category:literal) => {
        concat!(
            "CASE WHEN ",
            $category,
            ".id IS NOT NULL THEN ",
            object! {
                "id": value!(concat!($category, ".id")),
                "name": value!(concat!($category, ".name")),
                "emoji": value!(concat!($category, ".emoji")),
                "color": value!(concat!($category, ".color")),
                "parentId": value!(concat!($category, ".parent_id")),
            },
            " END"
        )
    };
}

/// A [`Note`](crate::resource::Note) from `notes n` joined with `note_categories category`, with the SQL of its author.
macro_rules! note {
    ($author:expr) => {
        object! {
            "id": value!("n.id"),
            "title": value!("n.title"),
            "content": value!("n.content"),
            "emoji": value!("n.emoji"),
            "color": value!("n.color"),
            "pinned": boolean!("n.pinned"),
            "tags": raw!("n.tags"),
            "authorId": value!("n.author_id"),
            "author": raw!($author),
            "categoryId": value!("n.category_id"),
            "category": raw!(category!("category")),
            "createdAt": value!("n.created_at"),
            "updatedAt": value!("n.updated_at"),
        }
    };
}

/// A [`Profile`](crate::resource::Profile) from `users`. `familyId` is `null` if the family does not exist.
macro_rules! profile {
    () => {
        object! {
            "id": value!("id"),
            "name": value!("name"),
            "email": value!("email"),
            "image": value!("image"),
            "color": value!("color"),
            "emoji": value!("emoji"),
            "familyId": value!("(SELECT f.id FROM families f WHERE f.id = users.family_id)"),
            "displayCurrency": value!("display_currency"),
            "timeZone": value!("time_zone"),
            "personalApiEnabled": boolean!("personal_api_enabled"),
            "llmModel": value!("llm_model"),
            "llmKeyConfigured": boolean!("llm_key_configured"),
        }
    };
}

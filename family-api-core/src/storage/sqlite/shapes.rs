//! Records as SQLite writes them: SQL that makes the JSON which serde makes of the type of that name.
//!
//! A boolean is stored as a number and goes through `json`, as stored JSON does; else it would be a string.

/// A [`Person`](crate::resource::Person) of the joined user, or null where there is none.
macro_rules! person {
    ($user:literal) => {
        concat!(
            "CASE WHEN ",
            $user,
            ".id IS NOT NULL THEN json_object('id', ",
            $user,
            ".id, 'name', ",
            $user,
            ".name, ",
            "'image', ",
            $user,
            ".image, 'color', ",
            $user,
            ".color, 'emoji', ",
            $user,
            ".emoji) END"
        )
    };
}

/// A [`Task`](crate::resource::Task) of `tasks t`, with its `users assignee` and `users creator`.
macro_rules! task {
    () => {
        concat!(
            r#"json_object(
                'id', t.id, 'columnId', t.column_id, 'title', t.title, 'description', t.description,
                'priority', t.priority, 'dueDate', t.due_date,
                'completed', json(iif(t.completed_at IS NULL, 'false', 'true')), 'completedAt', t.completed_at,
                'order', t."order", 'labels', json(t.labels), 'isPrivate', json(iif(t.is_private, 'true', 'false')),
                'assigneeId', t.assignee_id, 'assignee', "#,
            $crate::storage::sqlite::shapes::person!("assignee"),
            ", 'creatorId', t.creator_id, 'creator', ",
            $crate::storage::sqlite::shapes::person!("creator"),
            ", 'createdAt', t.created_at, 'updatedAt', t.updated_at)"
        )
    };
}

/// A [`NoteCategory`](crate::resource::NoteCategory) of the joined category, or null where there is none.
macro_rules! category {
    ($category:literal) => {
        concat!(
            "CASE WHEN ",
            $category,
            ".id IS NOT NULL THEN json_object('id', ",
            $category,
            ".id, ",
            "'name', ",
            $category,
            ".name, 'emoji', ",
            $category,
            ".emoji, 'color', ",
            $category,
            ".color, ",
            "'parentId', ",
            $category,
            ".parent_id) END"
        )
    };
}

/// A [`Note`](crate::resource::Note) of `notes n`, with its `users author` and `note_categories category`.
macro_rules! note {
    () => {
        concat!(
            "json_object(
                'id', n.id, 'title', n.title, 'content', n.content, 'emoji', n.emoji, 'color', n.color,
                'pinned', json(iif(n.pinned, 'true', 'false')), 'tags', json(n.tags),
                'authorId', n.author_id, 'author', ",
            $crate::storage::sqlite::shapes::person!("author"),
            ", 'categoryId', n.category_id, 'category', ",
            $crate::storage::sqlite::shapes::category!("category"),
            ", 'createdAt', n.created_at, 'updatedAt', n.updated_at)"
        )
    };
}

/// A [`Profile`](crate::resource::Profile) of `users`.
macro_rules! profile {
    () => {
        "json_object(
            'id', id, 'name', name, 'email', email, 'image', image, 'color', color, 'emoji', emoji,
            'familyId', family_id, 'displayCurrency', display_currency, 'timeZone', time_zone,
            'personalApiEnabled', json(iif(personal_api_enabled, 'true', 'false')), 'llmModel', llm_model,
            'llmKeyConfigured', json(iif(llm_key_configured, 'true', 'false')))"
    };
}

pub(super) use {category, note, person, profile, task};

//! What a user sees of a family, in SQL.

/// Expands to the condition under which a user sees a record: `visible!(board "b" for "$2")` is the condition for the
/// board `b` and the user `$2`. A task or item is visible only if its container is visible too, which is a condition of
/// its own.
///
/// Only its owner sees a private record. No member sees a private record without an owner. In Rust,
/// `family_api_core::resource::sees` is the same rule.
macro_rules! visible {
    (board $alias:literal for $user:literal) => {
        $crate::visible::visible!(@ $alias "owner_user_id" $user)
    };
    (list $alias:literal for $user:literal) => {
        $crate::visible::visible!(@ $alias "owner_user_id" $user)
    };
    (task $alias:literal for $user:literal) => {
        $crate::visible::visible!(@ $alias "creator_id" $user)
    };
    (item $alias:literal for $user:literal) => {
        $crate::visible::visible!(@ $alias "added_by_id" $user)
    };
    (@ $alias:literal $owner:literal $user:literal) => {
        concat!("(NOT ", $alias, ".is_private OR ", $alias, ".", $owner, " = ", $user, ")")
    };
}

/// Expands to the text of who sees a record, as [`Audience::to_text`](family_api_core::storage::Audience::to_text)
/// returns it: `audience!(board "b")` is the text for the board `b`. That of a task or item does not count its container.
macro_rules! audience {
    (board $alias:literal) => {
        $crate::visible::audience!(@ $alias "owner_user_id")
    };
    (list $alias:literal) => {
        $crate::visible::audience!(@ $alias "owner_user_id")
    };
    (task $alias:literal) => {
        $crate::visible::audience!(@ $alias "creator_id")
    };
    (item $alias:literal) => {
        $crate::visible::audience!(@ $alias "added_by_id")
    };
    (@ $alias:literal $owner:literal) => {
        concat!("CASE WHEN ", $alias, ".is_private THEN coalesce('=' || ", $alias, ".", $owner, ", '') ELSE '*' END")
    };
}

/// Expands to the text of who sees a record in a container, from the texts of both: `both!(container, own, "FROM …")`. The
/// texts can name the tables of the last argument.
macro_rules! both {
    ($container:expr, $own:expr, $from:literal) => {
        concat!(
            "(SELECT CASE WHEN a.container = '*' THEN a.own WHEN a.own IN ('*', a.container) THEN a.container ELSE '' END
            FROM (SELECT ",
            $container,
            " AS container, ",
            $own,
            " AS own ",
            $from,
            ") AS a)"
        )
    };
}

/// Expands to the condition that a user is a member of a family: `is_member!("$2" of "$1")`. Every read has it. A user
/// can leave the family after the request was authorized, and then reads nothing. A database evaluates the subquery
/// once. SQLite would evaluate `EXISTS` for each row.
macro_rules! is_member {
    ($user:literal of $family:literal) => {
        concat!("(SELECT TRUE FROM users WHERE id = ", $user, " AND family_id = ", $family, ")")
    };
}

pub(crate) use {audience, both, is_member, visible};

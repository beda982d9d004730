//! Writes of tasks, columns and boards.

use family_api_core::change::{BoardFacts, BoardOwner, ColumnFacts, Destination, TaskFacts, TaskWrite};
use family_api_core::id::UserId;
use family_api_core::resource::{Board, Column, Person, Task};
use family_api_core::storage::table::Table;
use family_api_core::storage::value::{Datum, StoredFields, StoredRow, Value, Values};
use family_api_core::storage::write_sequence::Target;
use family_api_core::storage::{BoardRecord, ColumnRecord, Member, StorageError, TaskRecord};

use crate::sql_connection::SqlConnection;
use crate::visible::{audience, both, visible};
use crate::writes::room::{MakeRoom, RestOfSpread, RoomMade};
use crate::writes::{Creation, Joined, Selected, SqlKind};

impl SqlKind for Task {
    const TABLE: &'static Table = &TaskRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "creator_id", "created_at"];
    const VISIBLE: Option<&'static str> = Some(concat!(
        visible!(task "t" for "$3"),
        "
          AND EXISTS (
              SELECT 1 FROM columns tc
              JOIN boards tb ON tb.family_id = $1 AND tb.id = tc.board_id
              WHERE tc.family_id = $1 AND tc.id = t.column_id AND ",
        visible!(board "tb" for "$3"),
        "
          )"
    ));
    const AUDIENCE: &'static str = both!(
        audience!(board "ab"),
        audience!(task "t"),
        "FROM columns ac JOIN boards ab ON ab.family_id = $1 AND ab.id = ac.board_id
            WHERE ac.family_id = $1 AND ac.id = t.column_id"
    );
    const AUTHOR: Option<&'static str> = Some("creator_id");
    /// `d` is the column `$5`, or the first column that the user sees if `$7` is true.
    const NAMED: Joined = Joined {
        columns: &[
            Selected::Expression("CASE WHEN e.id IS NOT NULL THEN d.id END"),
            Selected::Expression("CASE WHEN e.is_private THEN e.owner_user_id END"),
            Selected::Expression(
                r#"coalesce((
                    SELECT o."order" + 1 FROM tasks o
                    WHERE o.family_id = $1 AND o.column_id = d.id AND o.id <> $2
                    ORDER BY o."order" DESC LIMIT 1
                ), 0)"#,
            ),
            Selected::Person("new_assignee"),
        ],
        joins: concat!(
            "
            LEFT JOIN columns d ON d.family_id = $1 AND d.id = coalesce(CASE WHEN $7 THEN (
                SELECT fc.id FROM columns fc
                JOIN boards fb ON fb.family_id = $1 AND fb.id = fc.board_id
                WHERE fc.family_id = $1 AND ",
            visible!(board "fb" for "$3"),
            r#"
                ORDER BY fb."order", fb.created_at, fb.id, fc."order", fc.id LIMIT 1
            ) ELSE $5 END, '')
            LEFT JOIN boards e ON e.family_id = $1 AND e.id = d.board_id AND "#,
            visible!(board "e" for "$3"),
            "
            LEFT JOIN users new_assignee ON new_assignee.id = coalesce($6, '') AND new_assignee.family_id = $1"
        ),
    };
    const REFERENCED: Joined = Joined {
        columns: &[
            Selected::Person("assignee"),
            Selected::Expression("CASE WHEN b.is_private THEN b.owner_user_id END"),
        ],
        joins: "
            LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1
            LEFT JOIN columns c ON c.family_id = $1 AND c.id = t.column_id
            LEFT JOIN boards b ON b.family_id = $1 AND b.id = c.board_id",
    };

    fn facts_arguments<'a>(target: &Target<'a, Self>, user: &'a UserId) -> Vec<Datum<'a>> {
        vec![
            Value::datum(target.author(user, |task| task.creator_id.as_ref())),
            Value::datum(target.column()),
            Value::datum(target.assignee()),
            Datum::Boolean(Some(target.takes_first_column())),
        ]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<TaskFacts>, StorageError> {
        let creator: Option<Person> = values.joined()?;
        let destination = destination(values)?;
        let new_assignee: Option<Person> = values.joined()?;
        let mut board = BoardOwner::Family;
        let task = match target {
            Target::Stored(..) => {
                let stored: Option<Self> = values.joined()?;
                let assignee = values.joined()?;
                board = owner(values)?;
                stored.map(|task| Self { assignee, creator, ..task })
            }
            Target::New(..) => Some(creation.blank(target, creator.as_ref())),
            Target::Deleted(task) => Some(Self { assignee: new_assignee.clone(), creator, ..(*task).clone() }),
        };
        Ok(task.map(|task| TaskFacts { task, board, destination, assignee: new_assignee }))
    }

    fn read_joined(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        let task = Self::read(values)?;
        Ok(Self { creator: values.joined()?, assignee: values.joined()?, ..task })
    }

    async fn make_room(
        connection: &mut impl SqlConnection,
        member: &Member,
        TaskWrite { task, makes_room }: &TaskWrite,
        rest: Option<RestOfSpread>,
    ) -> Result<RoomMade, StorageError> {
        if *makes_room { MakeRoom { connection, member, task }.run(rest).await } else { Ok(RoomMade::Free) }
    }
}

fn destination(values: &mut Values<'_, impl StoredRow>) -> Result<Option<Destination>, StorageError> {
    let Some(column) = values.take::<Option<_>>()? else {
        values.skip(2);
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(values)?, end: values.take()? }))
}

/// Returns the owner of a board. The next value is `NULL` if the board is not private.
fn owner(values: &mut Values<'_, impl StoredRow>) -> Result<BoardOwner, StorageError> {
    Ok(values.take::<Option<_>>()?.map_or(BoardOwner::Family, BoardOwner::User))
}

impl SqlKind for Column {
    const TABLE: &'static Table = &ColumnRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "board_id", "created_at"];
    const VISIBLE: Option<&'static str> = Some(concat!(
        "EXISTS (
              SELECT 1 FROM boards tb
              WHERE tb.family_id = $1 AND tb.id = t.board_id AND ",
        visible!(board "tb" for "$3"),
        "
          )"
    ));
    const AUDIENCE: &'static str =
        concat!("(SELECT ", audience!(board "ab"), " FROM boards ab WHERE ab.family_id = $1 AND ab.id = t.board_id)");
    const EMPTY: Option<&'static str> =
        Some("NOT EXISTS (SELECT 1 FROM tasks o WHERE o.family_id = $1 AND o.column_id = $2)");
    const NAMED: Joined = Joined {
        columns: &[
            Selected::Expression("b.id"),
            Selected::Expression(
                r#"coalesce((SELECT max(o."order") + 1 FROM columns o WHERE o.family_id = $1 AND o.board_id = b.id), 0)"#,
            ),
        ],
        joins: concat!(
            "
            LEFT JOIN boards b ON b.family_id = $1 AND b.id = coalesce($4, '')
                AND ",
            visible!(board "b" for "$3")
        ),
    };

    fn facts_arguments<'a>(target: &Target<'a, Self>, _: &'a UserId) -> Vec<Datum<'a>> {
        vec![Value::datum(target.board())]
    }

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<ColumnFacts>, StorageError> {
        let (board, end) = (values.take()?, values.take()?);
        Ok(creation.record(values, target)?.map(|column| ColumnFacts { column, board, end }))
    }
}

impl SqlKind for Board {
    const TABLE: &'static Table = &BoardRecord::TABLE;
    const FIXED: &'static [&'static str] = &["id", "is_private", "owner_user_id", "created_at"];
    const VISIBLE: Option<&'static str> = Some(visible!(board "t" for "$3"));
    const AUDIENCE: &'static str = audience!(board "t");
    const EMPTY: Option<&'static str> =
        Some("NOT EXISTS (SELECT 1 FROM columns o WHERE o.family_id = $1 AND o.board_id = $2)");
    const NAMED: Joined = Joined {
        columns: &[Selected::Expression(concat!(
            r#"coalesce((
                SELECT max(o."order") + 1 FROM boards o
                WHERE o.family_id = $1 AND "#,
            visible!(board "o" for "$3"),
            "
            ), 0)"
        ))],
        joins: "",
    };

    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<BoardFacts>, StorageError> {
        let end = values.take()?;
        Ok(creation.record(values, target)?.map(|board| BoardFacts { board, end }))
    }
}

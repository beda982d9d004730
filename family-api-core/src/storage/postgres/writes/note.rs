//! Updates and deletions of notes.

use sqlx::PgConnection;

use crate::change::{NoteChange, NoteFacts, Verdict};
use crate::id::{CategoryId, NoteId};
use crate::resource::Note;
use crate::storage::postgres::connections::{Connections, begin_write};
use crate::storage::postgres::credentials::lock_credential;
use crate::storage::postgres::decode::Values;
use crate::storage::postgres::decode_records::{self, category_columns, note_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::instant::Instant;
use crate::storage::{Author, Member, StorageError, Update};
use crate::{Precondition, Timestamp};

/// Returns the note `$2` and the category `$3`.
const FACTS: &str = concat!(
    "SELECT ",
    note_columns!(),
    ", ",
    category_columns!("named"),
    "
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = $1
    LEFT JOIN note_categories category ON category.family_id = $1 AND category.id = n.category_id
    LEFT JOIN note_categories named ON named.family_id = $1 AND named.id = $3
    WHERE n.family_id = $1 AND n.id = $2"
);

const UPDATE: &str = "
    UPDATE notes
    SET title = $3, content = $4, emoji = $5, color = $6, pinned = $7, tags = $8, category_id = $9, updated_at = $10
    WHERE family_id = $1 AND id = $2";

const DELETE: &str = "DELETE FROM notes WHERE family_id = $1 AND id = $2";

/// Returns the unchanged note, for a change without fields. It does not lock the family.
pub(super) async fn find(
    connections: &Connections,
    author: &Author,
    note: &NoteId,
    change: &NoteChange,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Note>, StorageError> {
    let mut connection = connections.lease().await?;
    if let Err(denied) = author.check(lock_credential(&mut connection, author, now).await?, now) {
        return Ok(denied.into());
    }
    let facts = facts(&mut connection, &author.member, note, change).await?;
    let Some(NoteFacts { note, .. }) = facts else {
        return Ok(Update::NotFound);
    };
    Ok(if precondition.holds(&note)? { Update::Done(note) } else { Update::PreconditionFailed })
}

pub(super) async fn update(
    connections: &Connections,
    author: &Author,
    note: &NoteId,
    change: &NoteChange,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Note>, StorageError> {
    let mut connection = connections.lease().await?;
    let mut transaction = match begin_write(&mut connection, author, now).await? {
        Ok(transaction) => transaction,
        Err(denied) => return Ok(denied.into()),
    };
    let member = &author.member;
    let Some(facts) = facts(&mut transaction, member, note, change).await? else {
        return Ok(Update::NotFound);
    };
    if !precondition.holds(&facts.note)? {
        return Ok(Update::PreconditionFailed);
    }
    let note = match change.clone().judge(facts, now) {
        Verdict::Write(note) => note,
        Verdict::NotFound => return Ok(Update::NotFound),
        Verdict::Refused(faults) => return Ok(Update::Refused(faults)),
    };
    if !store(&mut transaction, member, &note).await? {
        return Ok(Update::NotFound);
    }
    transaction.commit().await.map_err(fault)?;
    Ok(Update::Done(note))
}

pub(super) async fn delete(
    connections: &Connections,
    author: &Author,
    note: &NoteId,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<()>, StorageError> {
    let mut connection = connections.lease().await?;
    let mut transaction = match begin_write(&mut connection, author, now).await? {
        Ok(transaction) => transaction,
        Err(denied) => return Ok(denied.into()),
    };
    let member = &author.member;
    if *precondition != Precondition::None {
        let Some(facts) = facts(&mut transaction, member, note, &NoteChange::new()).await? else {
            return Ok(Update::NotFound);
        };
        if !precondition.holds(&facts.note)? {
            return Ok(Update::PreconditionFailed);
        }
    }
    let query = sqlx::query(DELETE).bind(member.family.as_str()).bind(note.as_str());
    let done = query.execute(&mut *transaction).await.map_err(fault)?;
    if done.rows_affected() == 0 {
        return Ok(Update::NotFound);
    }
    transaction.commit().await.map_err(fault)?;
    Ok(Update::Done(()))
}

async fn facts(
    connection: &mut PgConnection,
    member: &Member,
    note: &NoteId,
    change: &NoteChange,
) -> Result<Option<NoteFacts>, StorageError> {
    let query = sqlx::query(FACTS)
        .bind(member.family.as_str())
        .bind(note.as_str())
        .bind(change.named_category().map(CategoryId::as_str));
    let row = query.fetch_optional(connection).await.map_err(fault)?;
    row.map(|row| {
        let mut values = Values::of(&row);
        Ok(NoteFacts { note: decode_records::note(&mut values)?, category: decode_records::category(&mut values)? })
    })
    .transpose()
}

async fn store(connection: &mut PgConnection, member: &Member, note: &Note) -> Result<bool, StorageError> {
    let query = sqlx::query(UPDATE)
        .bind(member.family.as_str())
        .bind(note.id.as_str())
        .bind(note.title.as_str())
        .bind(note.content.as_str())
        .bind(note.emoji.as_deref())
        .bind(note.color.as_deref())
        .bind(note.pinned)
        .bind(&note.tags)
        .bind(note.category_id.as_ref().map(CategoryId::as_str))
        .bind(Instant(note.updated_at));
    Ok(query.execute(connection).await.map_err(fault)?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{DELETE, FACTS, UPDATE};
    use crate::storage::postgres::query_plans::assert_looked_up;

    postgres_tests! {
        async fn note_statements_look_up_by_family() {
            assert_looked_up(&[DELETE, FACTS, UPDATE]).await;
        }
    }
}

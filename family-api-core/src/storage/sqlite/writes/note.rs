//! Updates and deletions of notes.

use sqlx::{SqliteConnection, SqliteExecutor};

use crate::change::{NoteChange, NoteFacts, Verdict};
use crate::id::{CategoryId, NoteId};
use crate::resource::Note;
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::credentials::find_credential;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;
use crate::storage::{Author, Member, StorageError, Update};
use crate::{Precondition, Timestamp};

/// Returns the note `?2` and the category `?3`.
const FACTS: &str = concat!(
    "SELECT ",
    note!(person!("author")),
    " AS note, ",
    category!("named"),
    " AS named
    FROM notes n
    LEFT JOIN users author ON author.id = n.author_id AND author.family_id = ?1
    LEFT JOIN note_categories category ON category.family_id = ?1 AND category.id = n.category_id
    LEFT JOIN note_categories named ON named.family_id = ?1 AND named.id = ?3
    WHERE n.family_id = ?1 AND n.id = ?2"
);

const UPDATE: &str = "
    UPDATE notes
    SET title = ?3, content = ?4, emoji = ?5, color = ?6, pinned = ?7, tags = ?8, category_id = ?9, updated_at = ?10
    WHERE family_id = ?1 AND id = ?2";

const DELETE: &str = "DELETE FROM notes WHERE family_id = ?1 AND id = ?2";

/// Returns the unchanged note, for a change without fields. It needs no writer.
pub(super) async fn find(
    connections: &Connections,
    author: &Author,
    note: &NoteId,
    change: &NoteChange,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Note>, StorageError> {
    let mut reader = connections.readers().acquire().await.map_err(fault)?;
    if let Err(denied) = author.check(find_credential(&mut reader, author, now).await?, now) {
        return Ok(denied.into());
    }
    let facts = facts(&mut *reader, &author.member, note, change).await?;
    let Some(NoteFacts { note, .. }) = facts else {
        return Ok(Update::NotFound);
    };
    Ok(if precondition.holds(&note)? { Update::Done(note) } else { Update::PreconditionFailed })
}

pub(super) async fn update(
    connections: &Connections,
    author: &Author,
    note: &NoteId,
    change: NoteChange,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Note>, StorageError> {
    let mut transaction = connections.begin().await?;
    if let Err(denied) = author.check(find_credential(&mut transaction, author, now).await?, now) {
        return Ok(denied.into());
    }
    let member = &author.member;
    let Some(facts) = facts(&mut *transaction, member, note, &change).await? else {
        return Ok(Update::NotFound);
    };
    if !precondition.holds(&facts.note)? {
        return Ok(Update::PreconditionFailed);
    }
    let note = match change.judge(facts, now) {
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
    let mut transaction = connections.begin().await?;
    if let Err(denied) = author.check(find_credential(&mut transaction, author, now).await?, now) {
        return Ok(denied.into());
    }
    let member = &author.member;
    if *precondition != Precondition::None {
        let Some(facts) = facts(&mut *transaction, member, note, &NoteChange::new()).await? else {
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
    connection: impl SqliteExecutor<'_>,
    member: &Member,
    note: &NoteId,
    change: &NoteChange,
) -> Result<Option<NoteFacts>, StorageError> {
    let query = sqlx::query(FACTS)
        .bind(member.family.as_str())
        .bind(note.as_str())
        .bind(change.named_category().map(CategoryId::as_str));
    let row = query.fetch_optional(connection).await.map_err(fault)?;
    row.map(|row| Ok(NoteFacts { note: decode::json(&row, "note")?, category: decode::json_nullable(&row, "named")? }))
        .transpose()
}

async fn store(writer: &mut SqliteConnection, member: &Member, note: &Note) -> Result<bool, StorageError> {
    let query = sqlx::query(UPDATE)
        .bind(member.family.as_str())
        .bind(note.id.as_str())
        .bind(note.title.as_str())
        .bind(note.content.as_str())
        .bind(note.emoji.as_deref())
        .bind(note.color.as_deref())
        .bind(note.pinned)
        .bind(serde_json::to_string(&note.tags).map_err(StorageError::backend)?)
        .bind(note.category_id.as_ref().map(CategoryId::as_str))
        .bind(note.updated_at.to_string());
    Ok(query.execute(writer).await.map_err(fault)?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use super::{DELETE, FACTS, UPDATE};
    use crate::storage::sqlite::query_plans::assert_looked_up;

    #[tokio::test]
    async fn note_statements_look_up_by_family() {
        assert_looked_up(&[DELETE, FACTS, UPDATE]).await;
    }
}

//! Inserts records into the app's tables.
//!
//! In most statements, `?1` is the JSON of the API resource, for example of a `Task`.

use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, Profile, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::{KeyRecord, Record, UserRecord};
use family_api_core::{Timestamp, key::IntegrationKey};
use family_api_embed::storage::Hearth;
use serde::Serialize;

const HOUSEHOLD: &str = "INSERT INTO household (id, title) VALUES (?1, ?2)";

const PERSON: &str = "INSERT INTO person
    SELECT ?1 ->> 'id', ?1 ->> 'familyId', ?1 ->> 'name', ?1 ->> 'email', ?1 ->> 'image', ?1 ->> 'color', ?1 ->> 'emoji',
        ?1 ->> 'displayCurrency', ?1 ->> 'timeZone', ?1 ->> 'llmModel', iif(?1 ->> 'llmKeyConfigured', 'sealed', NULL),
        ?1 ->> 'personalApiEnabled', ?2";

const KEY: &str = "INSERT INTO api_key
    SELECT ?2, ?1 ->> 'id', ?3, ?1 ->> 'name', ?1 ->> 'hint', ?1 -> 'scopes', ?4, ?5, NULL, ?6";

// Each statement lists the values in the order of the table's columns. `?2` is the id of the household, wall, lane or
// basket that contains the row. The instants follow from `?3`.
const FOLDER: &str = "INSERT INTO folder
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'name', ?1 ->> 'emoji', ?1 ->> 'color', ?1 ->> 'parentId'";
const WALL: &str = "INSERT INTO wall
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'name', ?1 ->> 'description', ?1 ->> 'emoji', ?1 ->> 'color', ?1 ->> 'order',
        ?1 ->> 'isPrivate', ?1 ->> 'ownerUserId', ?3, ?4";
const LANE: &str = "INSERT INTO lane
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'name', ?1 ->> 'emoji', ?1 ->> 'color', ?1 ->> 'order', ?3";
const CHORE: &str = "INSERT INTO chore
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'title', ?1 ->> 'description', lower(?1 ->> 'priority'), ?5,
        iif(?6 IS NULL, 'open', 'done'), ?6, ?1 ->> 'order', ?1 -> 'labels', ?1 ->> 'isPrivate', ?1 ->> 'assigneeId',
        ?1 ->> 'creatorId', ?3, ?4";
const HAPPENING: &str = "INSERT INTO happening
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'title', ?1 ->> 'description', ?1 ->> 'emoji', ?1 ->> 'color', ?5, ?6,
        ?1 ->> 'allDay', ?1 ->> 'location', ?1 ->> 'recurrence', ?1 ->> 'assigneeId', ?3, ?4";
const BASKET: &str = "INSERT INTO basket
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'name', ?1 ->> 'emoji', ?1 ->> 'sortOrder', ?1 ->> 'isPrivate', ?1 ->> 'ownerUserId',
        ?3, ?4";
const WANT: &str = "INSERT INTO want
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'name', ?1 ->> 'quantity', ?1 ->> 'category', ?1 ->> 'checked', ?1 ->> 'isPrivate',
        ?1 ->> 'addedById', ?3";
const MEMO: &str = "INSERT INTO memo
    SELECT ?1 ->> 'id', ?2, ?1 ->> 'categoryId', ?1 ->> 'title', ?1 ->> 'content', ?1 ->> 'emoji', ?1 ->> 'color',
        ?1 ->> 'pinned', ?1 -> 'tags', ?1 ->> 'authorId', ?3, ?4";

/// Inserts records, parents before children.
pub(crate) async fn seed(hearth: &Hearth, records: Vec<Record>) {
    let mut transaction = hearth.writer.begin().await.unwrap();
    for record in records {
        insert_record(record).execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

type Statement = sqlx::query::Query<'static, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

fn insert_record(record: Record) -> Statement {
    match record {
        Record::Family(family) => sqlx::query(HOUSEHOLD).bind(family.id.to_string()).bind(family.name),
        Record::User(user) => insert_person(user),
        Record::Key(record) => insert_key(record),
        // Fails: the host's database has no such table.
        Record::CalendarFeed(_) => sqlx::query("INSERT INTO calendar_feeds DEFAULT VALUES"),
        Record::NoteCategory(record) => {
            let family = record.family_id.to_string();
            insert(FOLDER, &NoteCategory::from(record), family, [])
        }
        Record::Board(record) => {
            let (family, at) = (record.family_id.to_string(), [record.created_at, record.updated_at]);
            insert(WALL, &Board::from(record), family, at.map(Some))
        }
        Record::Column(record) => {
            let (board, at) = (record.board_id.to_string(), Some(record.created_at));
            insert(LANE, &Column::from(record), board, [at])
        }
        Record::Task(record) => {
            let at = [Some(record.created_at), Some(record.updated_at), record.due_date, record.completed_at];
            let column = record.column_id.to_string();
            insert(CHORE, &Task::from(record), column, at)
        }
        Record::Event(record) => {
            let at = [record.created_at, record.updated_at, record.start_date, record.end_date];
            let family = record.family_id.to_string();
            insert(HAPPENING, &Event::from(record), family, at.map(Some))
        }
        Record::ShoppingList(record) => {
            let (family, at) = (record.family_id.to_string(), [record.created_at, record.updated_at]);
            insert(BASKET, &ShoppingList::from(record), family, at.map(Some))
        }
        Record::ShoppingItem(record) => {
            let (list, at) = (record.list_id.to_string(), Some(record.created_at));
            insert(WANT, &ShoppingItem::from(record), list, [at])
        }
        Record::Note(record) => {
            let (family, at) = (record.family_id.to_string(), [record.created_at, record.updated_at]);
            insert(MEMO, &Note::from(record), family, at.map(Some))
        }
    }
}

fn insert_person(record: UserRecord) -> Statement {
    let changed = record.updated_at.as_millis();
    sqlx::query(PERSON).bind(json(&Profile::from(record))).bind(changed)
}

fn insert_key(record: KeyRecord) -> Statement {
    let (digest, user) = (record.digest.as_bytes().to_vec(), record.user_id.to_string());
    let at = [Some(record.created_at), record.expires_at, record.revoked_at];
    let query = sqlx::query(KEY).bind(json(&IntegrationKey::from(record))).bind(digest).bind(user);
    bind_instants(query, at)
}

fn insert<const N: usize>(
    sql: &'static str,
    resource: &impl Serialize,
    parent_id: String,
    at: [Option<Timestamp>; N],
) -> Statement {
    bind_instants(sqlx::query(sql).bind(json(resource)).bind(parent_id), at)
}

fn bind_instants(query: Statement, at: impl IntoIterator<Item = Option<Timestamp>>) -> Statement {
    at.into_iter().fold(query, |query, at| query.bind(at.map(Timestamp::as_millis)))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

//! Calendar feeds: the statements. SQLite and PostgreSQL execute the same text.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::feed::{CalendarFeed, FeedUpdate};
use family_api_core::id::{FeedId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::{Datum, StoredFields, StoredRow, Values};
use family_api_core::storage::{Account, FeedInsert, FeedRecord, FoundFeed, NewFeed, StorageError};

use crate::account::ACCOUNT_COLUMNS;
use crate::columns::{assignments, columns, updated_values};
use crate::sql_connection::SqlConnection;

const DELETE_EXPIRED_OF_USER: &str = "DELETE FROM calendar_feeds WHERE user_id = $1 AND expires_at <= $2";

const COUNT: &str = "SELECT count(*) FROM calendar_feeds WHERE user_id = $1";

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<_> = FeedRecord::COLUMNS.iter().map(|column| format!("\"{}\"", column.name)).collect();
    let values: Vec<_> = (1..=names.len()).map(|number| format!("${number}")).collect();
    format!("INSERT INTO calendar_feeds ({}) VALUES ({})", names.join(", "), values.join(", "))
});

/// Returns the columns of [`stored_feed`], from `calendar_feeds c`.
pub(crate) fn feed_columns() -> String {
    format!("{}, c.last_used_at, c.left_out", columns::<FeedRecord>("c"))
}

static FIND: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, f.id, f.revision, {ACCOUNT_COLUMNS}
        FROM calendar_feeds c
        LEFT JOIN calendar_ids i ON i.name = 'uid'
        LEFT JOIN users u ON u.id = c.user_id
        LEFT JOIN families f ON f.id = u.family_id
        WHERE c.digest = $1",
        found_columns()
    )
});

static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM calendar_feeds c
        WHERE c.user_id = $1 AND (c.expires_at IS NULL OR c.expires_at > $2)
        ORDER BY c.created_at DESC, c.id DESC",
        feed_columns()
    )
});

static FIND_OWN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM calendar_feeds c
        WHERE c.user_id = $1 AND c.id = $2 AND (c.expires_at IS NULL OR c.expires_at > $3)",
        feed_columns()
    )
});

/// The columns that a change of the settings does not change. The sequence is incremented by its own assignment,
/// because a change of the owner's time zone increments it at the same time.
const FIXED: [&str; 7] = ["id", "user_id", "digest", "hint", "sequence", "created_at", "expires_at"];

/// Counts a change, up to the greatest number of iCalendar.
pub(crate) const NEXT_SEQUENCE: &str = "sequence = CASE WHEN sequence < 2147483647 THEN sequence + 1 ELSE sequence END";

static UPDATE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE calendar_feeds SET {NEXT_SEQUENCE}, {}
        WHERE user_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)",
        assignments::<FeedRecord>(&FIXED, 4)
    )
});

const DELETE: &str = "
    DELETE FROM calendar_feeds WHERE user_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)";

/// Writes only a number that has changed, because a program can read a feed every few minutes.
const RECORD_LEFT_OUT: &str = "UPDATE calendar_feeds SET left_out = $2 WHERE digest = $1 AND left_out <> $2";

/// Finds feeds that expired at `$1` or earlier, at most `$2`.
pub(crate) const FIND_EXPIRED: &str =
    "SELECT digest FROM calendar_feeds WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2";

/// Returns the columns of [`found_feed`] before those of the account, from `calendar_feeds c` joined with
/// `calendar_ids i`.
pub(crate) fn found_columns() -> String {
    format!("{}, i.id", feed_columns())
}

/// Returns the statements that look up feeds.
#[cfg(test)]
pub(crate) fn statements() -> Vec<&'static str> {
    vec![DELETE_EXPIRED_OF_USER, COUNT, &FIND, &FIND_OWN, &UPDATE, DELETE, RECORD_LEFT_OUT]
}

/// Returns the statement that sorts the feeds of a user.
#[cfg(test)]
pub(crate) fn sorting_statement() -> &'static str {
    &LIST
}

/// Inserts a feed, and deletes the owner's expired ones. The caller has locked the feeds of the owner, and checked the
/// session.
pub(crate) async fn insert_feed(
    connection: &mut impl SqlConnection,
    new: &NewFeed,
    limit: u32,
) -> Result<FeedInsert, StorageError> {
    let (user, feed) = (&new.owner.user, &new.feed);
    connection.execute(DELETE_EXPIRED_OF_USER, vec![Datum::of(user), Datum::of(&feed.created_at)]).await?;
    let row = connection.find_row(COUNT, vec![Datum::of(user)]).await?;
    let count: i64 = row.map_or(Ok(0), |row| Values::of(&row).take())?;
    if count >= i64::from(limit) {
        return Ok(FeedInsert::LimitReached);
    }
    let settings = feed.settings.clone();
    let record = FeedRecord {
        id: feed.id.clone(),
        name: settings.name,
        hint: feed.hint.clone(),
        shows: settings.shows,
        detail: settings.detail,
        person_ids: settings.person_ids,
        board_ids: settings.board_ids,
        language: settings.language,
        sequence: 0,
        created_at: feed.created_at,
        updated_at: feed.updated_at,
        expires_at: feed.expires_at,
        user_id: user.clone(),
        digest: new.digest,
    };
    connection.execute(&INSERT, record.values()).await?;
    Ok(FeedInsert::Inserted)
}

pub(crate) async fn find_feed(
    connection: &mut impl SqlConnection,
    digest: &KeyDigest,
) -> Result<Option<FoundFeed>, StorageError> {
    let row = connection.find_row(&FIND, vec![Datum::of(digest)]).await?;
    row.map(|row| found_feed(&mut Values::of(&row), crate::account::current_account)).transpose()
}

/// Returns a feed from its [`found_columns`] and the columns that `account` reads.
pub(crate) fn found_feed<R: StoredRow>(
    values: &mut Values<'_, R>,
    account: impl FnOnce(&mut Values<'_, R>) -> Result<Option<Account>, StorageError>,
) -> Result<FoundFeed, StorageError> {
    let (record, feed) = stored_feed(values)?;
    Ok(FoundFeed {
        feed,
        sequence: record.sequence,
        calendar_id: values.take()?,
        user: record.user_id,
        account: account(values)?,
    })
}

pub(crate) async fn list_feeds(
    connection: &mut impl SqlConnection,
    user: &UserId,
    now: Timestamp,
) -> Result<Vec<CalendarFeed>, StorageError> {
    let rows = connection.find_rows(&LIST, vec![Datum::of(user), Datum::of(&now)]).await?;
    rows.iter().map(|row| listed_feed(&mut Values::of(row))).collect()
}

/// Returns a feed from its [`feed_columns`].
pub(crate) fn listed_feed(values: &mut Values<'_, impl StoredRow>) -> Result<CalendarFeed, StorageError> {
    stored_feed(values).map(|(_, feed)| feed)
}

fn stored_feed(values: &mut Values<'_, impl StoredRow>) -> Result<(FeedRecord, CalendarFeed), StorageError> {
    let record = FeedRecord::read(values)?;
    let (last_used_at, left_out) = (values.take()?, values.take()?);
    let feed = CalendarFeed { last_used_at, left_out, ..record.clone().into() };
    Ok((record, feed))
}

/// Changes the settings of a feed. The caller has locked the feeds of the user, and checked the session. Returns `None`
/// if the user has no current feed with this id.
pub(crate) async fn update_feed(
    connection: &mut impl SqlConnection,
    user: &UserId,
    feed: &FeedId,
    update: &FeedUpdate,
    now: Timestamp,
) -> Result<Option<CalendarFeed>, StorageError> {
    let identity = || vec![Datum::of(user), Datum::of(feed), Datum::of(&now)];
    let Some(row) = connection.find_row(&FIND_OWN, identity()).await? else {
        return Ok(None);
    };
    let (mut record, mut feed) = stored_feed(&mut Values::of(&row))?;
    let before = feed.settings.clone();
    update.clone().apply(&mut feed.settings);
    if feed.settings == before {
        return Ok(Some(feed));
    }
    feed.updated_at = now;
    let settings = feed.settings.clone();
    record.name = settings.name;
    record.shows = settings.shows;
    record.detail = settings.detail;
    record.person_ids = settings.person_ids;
    record.board_ids = settings.board_ids;
    record.language = settings.language;
    record.updated_at = now;
    let arguments = identity().into_iter().chain(updated_values(&record, &FIXED)).collect();
    let is_updated = connection.execute(&UPDATE, arguments).await? > 0;
    Ok(is_updated.then_some(feed))
}

/// Deletes a feed of a user. The caller has checked the session.
pub(crate) async fn delete_feed(
    connection: &mut impl SqlConnection,
    user: &UserId,
    feed: &FeedId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(connection.execute(DELETE, vec![Datum::of(user), Datum::of(feed), Datum::of(&now)]).await? > 0)
}

pub(crate) async fn record_left_out(
    connection: &mut impl SqlConnection,
    feed: &KeyDigest,
    left_out: u32,
) -> Result<(), StorageError> {
    connection.execute(RECORD_LEFT_OUT, vec![Datum::of(feed), Datum::of(&left_out)]).await?;
    Ok(())
}

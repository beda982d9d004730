//! Builds the JSON of a document from rows, each of which SQLite turns into JSON itself.
//!
//! The rows are appended to one buffer. So a document takes its own size and that of a row, and is copied only when the
//! buffer grows.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use family_api_core::resource::{Person, Revision};
use family_api_core::storage::{Member, StorageError};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{CachedStatement, Connection, Row, Statement};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::sqlite::error::read_fault;
use crate::sqlite::json_sql::Object;
use crate::visible::is_member;

/// The size in bytes from which a document is large. Only one large document is built at a time.
pub(super) const LARGE_DOCUMENT: usize = 4 * 1_024 * 1_024;

/// The maximum size of a document in bytes. It is the default maximum of a string in SQLite.
pub(super) const MAX_DOCUMENT: usize = 1_000_000_000;

/// The bytes that are reserved when a large document does not fit any more, or three times its size if this is more. So it
/// is hardly ever copied while it grows. The system provides only the memory that is written to.
const RESERVED: usize = 64 * 1_024 * 1_024;

/// Whether the user `?2` is a member of the family `?1`, and the family's revision.
pub(super) const HEAD: &str =
    concat!("SELECT ", is_member!("?2" of "?1"), ", (SELECT revision FROM families WHERE id = ?1)");

/// The id and the object of each member of the family `?1`.
pub(super) static PEOPLE: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT u.id, {} FROM users u WHERE u.family_id = ?1", Object::of::<Person>("u").columns())
});

/// A document that a member reads.
pub(super) struct DocumentRequest {
    pub(super) member: Member,
    /// The maximum size in bytes.
    pub(super) max_bytes: usize,
    /// The statement of the outer array. Each further one is that of the array in each item of the one before.
    ///
    /// A row has the [columns](Object::columns) of an object, or those of a [container](Object::container) if another
    /// statement follows. `?1` is the family, `?2` is the user, `?3` and `?4` are the arguments, and `?5` is the id of
    /// the container.
    pub(super) arrays: &'static [String],
    pub(super) arguments: [Value; 2],
}

/// The JSON of a document, and the revision of the family's data in it.
pub(super) struct BuiltDocument {
    pub(super) json: Vec<u8>,
    pub(super) revision: Option<Revision>,
}

/// Why a document was not built.
pub(super) enum NotBuilt {
    Fault(StorageError),
    /// It is large, and another large document is being built.
    IsLarge,
}

impl From<rusqlite::Error> for NotBuilt {
    fn from(error: rusqlite::Error) -> Self {
        Self::Fault(read_fault(error))
    }
}

impl From<StorageError> for NotBuilt {
    fn from(fault: StorageError) -> Self {
        Self::Fault(fault)
    }
}

/// Builds a document from one snapshot of the file.
///
/// When the document becomes large, it takes the permit of `large`. `permit` is that permit, if the caller has waited
/// for it.
pub(super) fn build_document(
    connection: &Connection,
    request: &DocumentRequest,
    large: &Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
) -> Result<BuiltDocument, NotBuilt> {
    // Rolled back on drop, which ends the snapshot.
    let snapshot = connection.unchecked_transaction()?;
    let Member { family, user } = &request.member;
    let read_head = |row: &Row<'_>| Ok((row.get::<_, Option<bool>>(0)?, row.get::<_, Option<i64>>(1)?));
    let (is_member, revision) =
        snapshot.prepare_cached(HEAD)?.query_row([family.as_str(), user.as_str()], read_head)?;
    let mut builder = Builder { connection: &snapshot, request, json: Vec::new(), people: None, large, permit };
    if is_member == Some(true) {
        let mut arrays =
            request.arrays.iter().map(|sql| snapshot.prepare_cached(sql)).collect::<Result<Vec<_>, _>>()?;
        builder.append_array(&mut arrays, None)?;
    } else {
        builder.append(b"[]")?;
    }
    Ok(BuiltDocument { json: builder.finish(), revision: revision.map(Revision::new) })
}

struct Builder<'a> {
    connection: &'a Connection,
    request: &'a DocumentRequest,
    json: Vec<u8>,
    /// The JSON of each member of the family, by id. `None` until a record refers to a person.
    people: Option<HashMap<String, Vec<u8>>>,
    large: &'a Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Builder<'_> {
    /// Appends the array of the first statement, with the arrays of the others in its items.
    fn append_array(&mut self, arrays: &mut [CachedStatement<'_>], container: Option<&str>) -> Result<(), NotBuilt> {
        let Some((items, inner)) = arrays.split_first_mut() else { return Ok(()) };
        self.bind(items, container)?;
        self.append(b"[")?;
        let mut rows = items.raw_query();
        let mut is_first = true;
        while let Some(row) = rows.next()? {
            if !is_first {
                self.append(b",")?;
            }
            is_first = false;
            if inner.is_empty() {
                self.append_members(row, 0)?;
            } else {
                self.append_members(row, 1)?;
                self.append_array(inner, Some(text(row, 0)?))?;
            }
            self.append(b"}")?;
        }
        self.append(b"]")
    }

    fn bind(&self, items: &mut Statement<'_>, container: Option<&str>) -> Result<(), NotBuilt> {
        let DocumentRequest { member, arguments: [first, second], .. } = self.request;
        let (family, user) = (member.family.as_str(), member.user.as_str());
        let parameters: [&dyn rusqlite::ToSql; 5] = [&family, &user, first, second, &container];
        let count = items.parameter_count();
        for (parameter, number) in parameters.iter().zip(1..=count) {
            items.raw_bind_parameter(number, parameter)?;
        }
        Ok(())
    }

    /// Appends the columns of an object, which begin at a position: text and persons in turn.
    fn append_members(&mut self, row: &Row<'_>, from: usize) -> Result<(), NotBuilt> {
        for (position, is_text) in (from..row.as_ref().column_count()).zip([true, false].into_iter().cycle()) {
            if is_text {
                self.append(text(row, position)?.as_bytes())?;
            } else {
                self.append_person(row, position)?;
            }
        }
        Ok(())
    }

    /// Appends the member of the family with the id in a column, or `null`.
    fn append_person(&mut self, row: &Row<'_>, position: usize) -> Result<(), NotBuilt> {
        let person = if row.get_ref(position)? == ValueRef::Null { None } else { Some(text(row, position)?) };
        let people = match self.people.take() {
            Some(people) => people,
            None => self.read_people()?,
        };
        let json = person.and_then(|person| people.get(person)).map_or(&b"null"[..], Vec::as_slice);
        self.append(json)?;
        self.people = Some(people);
        Ok(())
    }

    fn read_people(&self) -> Result<HashMap<String, Vec<u8>>, NotBuilt> {
        let mut people = HashMap::new();
        let mut statement = self.connection.prepare_cached(&PEOPLE)?;
        let mut rows = statement.query([self.request.member.family.as_str()])?;
        while let Some(row) = rows.next()? {
            people.insert(text(row, 0)?.to_owned(), [text(row, 1)?.as_bytes(), b"}"].concat());
        }
        Ok(people)
    }

    /// Appends JSON, and fails if the document becomes too large or there is no memory for it.
    fn append(&mut self, json: &[u8]) -> Result<(), NotBuilt> {
        let length = self.json.len() + json.len();
        if length > self.request.max_bytes {
            return Err(StorageError::unavailable("the document is too large").into());
        }
        if length > LARGE_DOCUMENT {
            if self.permit.is_none() {
                let permit = Arc::clone(self.large).try_acquire_owned().map_err(|_| NotBuilt::IsLarge)?;
                self.permit = Some(permit);
            }
            if length > self.json.capacity() {
                let more = RESERVED.max(3 * self.json.len()).min(self.request.max_bytes - self.json.len());
                self.json.try_reserve_exact(more).map_err(StorageError::unavailable)?;
            }
        }
        self.json.extend_from_slice(json);
        Ok(())
    }

    /// Returns the JSON without spare capacity, which would use memory while the document is in the cache. That of a very
    /// long document is kept: it was never written to, and a copy would take as much memory again.
    fn finish(self) -> Vec<u8> {
        let mut json = self.json;
        if json.len() < RESERVED / 2 {
            json.shrink_to_fit();
        }
        json
    }
}

/// Returns the text in a column.
fn text<'r>(row: &'r Row<'_>, position: usize) -> Result<&'r str, StorageError> {
    let value = row.get_ref(position).map_err(read_fault)?;
    value.as_str().map_err(StorageError::corrupt)
}

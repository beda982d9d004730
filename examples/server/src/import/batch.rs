//! Batches: lines that one task parses, including the hashing of their passwords.

use family_api_core::storage::{Password, Record};

use crate::import::ImportError;
use crate::import::lines::Line;
use crate::password::Hasher;

const MOST_LINES: usize = 256;
const MOST_BYTES: u64 = 1024 * 1024;

/// The lines of a batch.
#[derive(Default)]
pub(super) struct Batch {
    lines: Vec<Line>,
    bytes: u64,
}

/// A parsed batch.
pub(super) struct Prepared {
    /// Each record with the number of its line.
    pub(super) records: Vec<(u64, Record)>,
    /// Number of bytes of input.
    pub(super) bytes: u64,
}

impl Batch {
    /// Reads the next lines of the input. The last batch is empty.
    pub(super) fn read(lines: &mut impl Iterator<Item = Result<Line, ImportError>>) -> Result<Self, ImportError> {
        let mut batch = Self::default();
        while batch.lines.len() < MOST_LINES && batch.bytes < MOST_BYTES {
            let Some(line) = lines.next().transpose()? else { break };
            batch.bytes += line.text.len() as u64 + 1;
            batch.lines.push(line);
        }
        Ok(batch)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Parses the lines and hashes their passwords. Stops at the first invalid line.
    pub(super) fn prepare(self, hasher: &Hasher) -> Result<Prepared, ImportError> {
        let records = self.lines.into_iter().map(|line| Ok((line.number, record(&line, hasher)?)));
        Ok(Prepared { records: records.collect::<Result<_, ImportError>>()?, bytes: self.bytes })
    }
}

fn record(line: &Line, hasher: &Hasher) -> Result<Record, ImportError> {
    let mut record = Record::from_json(&line.text).map_err(|fault| ImportError::Line { line: line.number, fault })?;
    if let Record::User(user) = &mut record
        && let Password::Plain(plain) = &user.password
    {
        user.password = Password::Hashed(hasher.hash(plain.expose())?);
    }
    Ok(record)
}

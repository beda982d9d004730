//! Batches of lines. One task parses a batch and hashes its passwords.

use family_api_core::storage::{LoadFault, Password, Record};

use crate::import::ImportError;
use crate::import::lines::Line;
use crate::password;

const MAX_LINES: usize = 256;
const MAX_BYTES: u64 = 1024 * 1024;

/// Lines that are not parsed yet.
#[derive(Default)]
pub(super) struct Batch {
    lines: Vec<Line>,
    bytes: u64,
}

/// A parsed batch.
pub(super) struct ParsedBatch {
    /// Pairs of a line number and the record of that line.
    pub(super) records: Vec<(u64, Record)>,
    /// Number of bytes of input.
    pub(super) bytes: u64,
}

impl Batch {
    /// Reads the next lines of the input. At the end of the input, the batch is empty.
    pub(super) fn read(lines: &mut impl Iterator<Item = Result<Line, ImportError>>) -> Result<Self, ImportError> {
        let mut batch = Self::default();
        while batch.lines.len() < MAX_LINES && batch.bytes < MAX_BYTES {
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
    pub(super) fn parse(self) -> Result<ParsedBatch, ImportError> {
        let records = self.lines.into_iter().map(|line| Ok((line.number, record(&line)?)));
        Ok(ParsedBatch { records: records.collect::<Result<_, ImportError>>()?, bytes: self.bytes })
    }
}

fn record(line: &Line) -> Result<Record, ImportError> {
    let fault = |fault: LoadFault| ImportError::Line { line: line.number, fault };
    let mut record = Record::from_json(&line.text).map_err(fault)?;
    if let Record::User(user) = &mut record {
        match &user.password {
            Password::Plain(plain) => user.password = Password::Hashed(password::hash(plain.expose())?),
            Password::Hashed(hash) => {
                password::check(hash).map_err(|error| fault(LoadFault::new("password.hash", &error.to_string())))?;
            }
            Password::None => {}
        }
    }
    Ok(record)
}

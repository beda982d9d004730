//! The document of an expanded read of events.

use crate::json_error::JsonError;
use crate::occurrences::Expansion;
use crate::resource::{Document, Occurrence, Person};

/// Maximum size of the document in bytes. Each occurrence repeats the fields of its event, and the fields of an imported
/// event have no maximum length.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The earliest occurrences, as many as fit in a document.
pub(super) struct OccurrenceDocument {
    pub(super) document: Document<Vec<Occurrence>>,
    /// Whether occurrences may be missing.
    pub(super) is_truncated: bool,
}

impl OccurrenceDocument {
    /// Serializes the occurrences one by one. The document has at least one occurrence, if there is any, so that the
    /// client can begin its next range after it.
    pub(super) fn new(found: &Expansion<'_>, members: &[Person]) -> Result<Self, JsonError> {
        let mut is_truncated = found.is_cut;
        let mut json = vec![b'['];
        for (index, occurrence) in found.items.iter().enumerate() {
            let length = json.len();
            if index > 0 {
                json.push(b',');
            }
            serde_json::to_writer(&mut json, &occurrence.to_occurrence(members))?;
            // One byte for the closing bracket.
            if index > 0 && json.len() >= MAX_BYTES {
                json.truncate(length);
                is_truncated = true;
                break;
            }
        }
        json.push(b']');
        Ok(Self { document: Document::from_json(json.into_boxed_slice()), is_truncated })
    }
}

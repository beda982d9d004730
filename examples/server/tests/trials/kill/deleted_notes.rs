//! Notes that a writer deletes one by one.

use crate::credential::Credential;
use crate::kill::documents::Documents;
use crate::kill::writer::Expected;
use crate::sandbox::Server;

pub(crate) struct DeletedNotes {
    /// The number of notes at the beginning.
    all: u32,
    /// The number of deleted notes, which are the first ones.
    deleted: Expected<u32>,
    writer: Credential,
}

impl DeletedNotes {
    pub(crate) fn new(all: u32, writer: Credential) -> Self {
        Self { all, deleted: Expected::new(0), writer }
    }

    /// Returns the id of a note.
    pub(crate) fn id(number: u32) -> String {
        format!("deleted-{number}")
    }

    /// Deletes the next note. Returns `false` if no note is left or the write is in doubt.
    pub(crate) async fn write(&mut self, server: &Server) -> bool {
        let number = self.deleted.state;
        if number == self.all {
            return false;
        }
        let path = format!("/api/v1/notes/{}", Self::id(number));
        self.deleted.write(number + 1, self.writer.request(server, "DELETE", &path, None), 200).await.is_some()
    }

    pub(crate) fn check_after_restart(&mut self, documents: &Documents) -> Option<bool> {
        let is_stored = |number: &u32| documents.notes.contains_key(&Self::id(*number));
        let deleted = (0..self.all).find(is_stored).unwrap_or(self.all);
        assert!((deleted..self.all).all(|number| is_stored(&number)), "a note after {deleted} is lost");
        self.deleted.check(deleted)
    }
}

//! Flaws of the notes' changes.

use family_api_core::Timestamp;
use family_api_core::change::{Field, NoteChange};
use family_api_core::id::NoteId;
use family_api_core::resource::Note;
use family_api_core::storage::{Member, Reads, StorageError, Update, Writes};

use crate::broken::{Broken, Flaw};

impl Broken {
    pub(super) async fn update_note_with_flaw(
        &self,
        member: &Member,
        note: &NoteId,
        mut change: NoteChange,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        match self.flaw {
            Some(Flaw::UpdatesForeignNotes) => {
                for other in self.everybody(member) {
                    let update = self.sound.update_note(&other, note, change.clone(), now).await?;
                    if update != Update::NotFound {
                        return Ok(update);
                    }
                }
                return Ok(Update::NotFound);
            }
            Some(Flaw::KeepsWhatNullClears) if change.category == Field::Clear => change.category = Field::Keep,
            Some(Flaw::ChangesHalfOfANote) => {
                let mut half = NoteChange::new();
                half.title = change.title.clone();
                self.sound.update_note(member, note, half, now).await?;
            }
            Some(Flaw::WritesTheWholeNoteAsItWasSeen) => {
                let notes = self.sound.list_notes(member).await?.parse()?;
                let seen = notes.into_iter().find(|other| other.id == *note);
                tokio::task::yield_now().await;
                change.title = change.title.or_else(|| seen.clone().map(|note| note.title));
                change.tags = change.tags.or_else(|| seen.map(|note| note.tags));
            }
            Some(Flaw::TouchesWithoutAChange) if change.is_empty() => {
                let notes = self.sound.list_notes(member).await?.parse()?;
                change.pinned = notes.iter().find(|other| other.id == *note).map(|note| note.pinned);
            }
            _ => {}
        }
        self.sound.update_note(member, note, change, now).await
    }

    pub(super) async fn delete_note_with_flaw(&self, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        match self.flaw {
            Some(Flaw::DeletesForeignNotes) => {
                for other in self.everybody(member) {
                    if self.sound.delete_note(&other, note).await? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Some(Flaw::DeletesAgainAndAgain) => self.sound.delete_note(member, note).await.map(|_| true),
            Some(Flaw::LooksAndThenDeletes) => {
                let notes = self.sound.list_notes(member).await?.parse()?;
                tokio::task::yield_now().await;
                self.sound.delete_note(member, note).await?;
                Ok(notes.iter().any(|other| other.id == *note))
            }
            _ => self.sound.delete_note(member, note).await,
        }
    }
}

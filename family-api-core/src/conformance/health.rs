//! Whether the storage answers.

use crate::conformance::Subject;

pub(super) async fn a_storage_that_is_there_answers(subject: &dyn Subject) {
    assert!(subject.storage().check().await.is_ok());
}

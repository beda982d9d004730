//! The health check.

use crate::Subject;

pub(super) async fn the_health_check_of_a_running_storage_succeeds(subject: &dyn Subject) {
    assert!(subject.storage().check().await.is_ok());
}

//! Constraints of the tables. SQLite copies stored values into documents without conversion, so the tables must reject
//! values that the API does not allow.

use sqlx::{AssertSqlSafe, Executor};

use crate::family::Fixture;

#[tokio::test]
async fn only_timestamps_in_the_wire_format_can_be_stored() {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    for valid in ["0001-01-01T00:00:00.000Z", "2026-11-20T10:15:59.999Z", "9999-12-31T23:59:59.999Z"] {
        host.execute(AssertSqlSafe(format!("UPDATE notes SET updated_at = '{valid}'"))).await.unwrap();
    }
    for invalid in [
        "2026-02-30T00:00:00.000Z",
        "2026-11-20T10:15:60.000Z",
        "2026-11-20T10:15:30Z",
        "2026-11-20 10:15:30.000Z",
        "2026-11-20T10:15:30.000+02:00",
        "xxxx-xx-xxTxx:xx:xx.xxxZ",
        "now",
        "",
    ] {
        let update = host.execute(AssertSqlSafe(format!("UPDATE notes SET updated_at = '{invalid}'"))).await;
        assert!(update.is_err(), "{invalid:?}");
    }
}

#[tokio::test]
async fn replacing_a_user_changes_the_revision_of_the_former_family() {
    const REVISION: &str = "SELECT revision FROM families WHERE id = 'one'";
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    let moved = "REPLACE INTO users SELECT id, 'two', name, email, image, color, emoji, display_currency, time_zone,
        personal_api_enabled, llm_model, llm_key_configured, created_at, updated_at FROM users WHERE family_id = 'one'";
    let before = fixture.count(REVISION).await;
    host.execute(moved).await.unwrap();
    assert_eq!(fixture.count("SELECT count(*) FROM users WHERE family_id = 'one'").await, 0);
    assert_ne!(fixture.count(REVISION).await, before);
}

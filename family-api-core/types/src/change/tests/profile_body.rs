//! The body of `PATCH /api/users/me`.

use crate::calendar::Zone;
use crate::change::ProfileChange;

use super::bodies::{body, body_with, pointers};

#[test]
fn personal_api_enabled_is_a_boolean_and_the_time_zone_has_an_iana_name() {
    for (value, enabled) in [("true", true), ("false", false)] {
        let change = ProfileChange::from_body(body_with("personalApiEnabled", value)).unwrap();
        assert_eq!(change.personal_api_enabled(), Some(enabled));
    }
    for name in ["UTC", "America/New_York", "Asia/Calcutta"] {
        let change = ProfileChange::from_body(body_with("timeZone", &format!("\"{name}\""))).unwrap();
        assert_eq!((change.time_zone().map(Zone::as_str), change.personal_api_enabled()), (Some(name), None));
        assert!(!change.is_empty());
    }
    for value in ["null", r#""""#, r#""+02:00""#, r#""europe/kyiv""#, "2"] {
        assert_eq!(pointers(ProfileChange::from_body(body_with("timeZone", value))), ["/timeZone"], "{value}");
    }
    assert!(ProfileChange::from_body(body("{}")).unwrap().is_empty());
    for value in ["null", r#""true""#, "1", "[]"] {
        assert_eq!(pointers(ProfileChange::from_body(body_with("personalApiEnabled", value))), ["/personalApiEnabled"]);
    }
    assert_eq!(pointers(ProfileChange::from_body(body(r#"{"name":"x","email":null}"#))), ["/name", "/email"]);
    assert_eq!(pointers(ProfileChange::from_body(body("true"))), [""]);
}

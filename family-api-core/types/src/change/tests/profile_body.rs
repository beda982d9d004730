//! The body of `PATCH /api/users/me`.

use crate::change::ProfileChange;

use super::bodies::{body, body_with, pointers};

#[test]
fn the_only_field_is_the_boolean_personal_api_enabled() {
    for (value, enabled) in [("true", true), ("false", false)] {
        let change = ProfileChange::from_body(body_with("personalApiEnabled", value)).unwrap();
        assert_eq!(change.personal_api_enabled(), Some(enabled));
    }
    assert!(ProfileChange::from_body(body("{}")).unwrap().is_empty());
    for value in ["null", r#""true""#, "1", "[]"] {
        assert_eq!(pointers(ProfileChange::from_body(body_with("personalApiEnabled", value))), ["/personalApiEnabled"]);
    }
    assert_eq!(pointers(ProfileChange::from_body(body(r#"{"name":"x","email":null}"#))), ["/name", "/email"]);
    assert_eq!(pointers(ProfileChange::from_body(body("true"))), [""]);
}

//! The body of a request to create a key.

use crate::key::{KeyDraft, KeyMode};
use crate::validation::{Faults, Json};

use super::bodies::{body, emojis, pointers};
use super::now;

fn read(body: Json) -> Result<KeyDraft, Faults> {
    KeyDraft::from_body(body, &KeyMode::ALL, now())
}

fn body_with(member: &str, value: &str) -> Json {
    body(&format!(r#"{{"mode":"v1_read","{member}":{value}}}"#))
}

#[test]
fn the_mode_is_required_and_known() {
    for mode in KeyMode::ALL {
        let draft = read(body(&format!(r#"{{"mode":"{}"}}"#, mode.as_str()))).unwrap();
        assert_eq!(draft, KeyDraft::new(mode));
    }
    for json in [r#"{"mode":null}"#, r#"{"mode":"V1_READ"}"#, r#"{"mode":""}"#, r#"{"mode":1}"#, "{}"] {
        assert_eq!(pointers(read(body(json))), ["/mode"], "{json}");
    }
    assert_eq!(pointers(read(body("null"))), [""]);
}

#[test]
fn a_mode_that_the_host_does_not_offer_is_unknown() {
    let read = |modes| KeyDraft::from_body(body(r#"{"mode":"v1_full"}"#), modes, now());
    assert_eq!(read(&KeyMode::ALL), Ok(KeyDraft::new(KeyMode::V1Full)));
    let unknown = KeyDraft::from_body(body(r#"{"mode":"v2_full"}"#), KeyMode::STANDARD, now());
    assert_eq!(read(KeyMode::STANDARD), unknown);
    let names = |modes| KeyDraft::schema(modes)["properties"]["mode"]["enum"].clone();
    assert_eq!(names(KeyMode::STANDARD), serde_json::json!(["mcp_read", "v1_read", "v1_read_write"]));
    assert_eq!(names(&KeyMode::ALL), serde_json::json!(["mcp_read", "v1_read", "v1_read_write", "v1_full"]));
}

#[test]
fn a_name_is_trimmed_and_has_1_to_100_non_control_characters() {
    let longest = emojis(100);
    for (value, name) in [
        (r#""Grafana""#, "Grafana"),
        (r#""\t Küche \u3000\n""#, "Küche"),
        (&longest, &"😀".repeat(100)),
        (r#""a\u00a0b""#, "a\u{a0}b"),
    ] {
        assert_eq!(read(body_with("name", value)).unwrap().name.as_deref(), Some(name));
    }
    assert_eq!(read(body_with("name", "null")).unwrap().name, None);
    let long = emojis(101);
    for value in [r#""""#, r#"" \n""#, &long, r#""a\nb""#, r#""a\u0000b""#, r#""a\u007fb""#, r#""a\u0085b""#, "7", "[]"]
    {
        assert_eq!(pointers(read(body_with("name", value))), ["/name"], "{value}");
    }
}

#[test]
fn an_expiry_is_in_the_future_and_at_most_ten_years_away() {
    for (value, at) in [
        ("2026-11-20T12:00:00.001Z", "2026-11-20T12:00:00.001Z"),
        ("2026-11-20T14:00:01+02:00", "2026-11-20T12:00:01.000Z"),
        ("2036-11-20T12:00:00Z", "2036-11-20T12:00:00.000Z"),
    ] {
        let draft = read(body_with("expiresAt", &format!(r#""{value}""#))).unwrap();
        assert_eq!(draft.expires_at.unwrap().to_string(), at);
    }
    assert_eq!(read(body_with("expiresAt", "null")).unwrap().expires_at, None);
    for value in [
        r#""2026-11-20T12:00:00Z""#,
        r#""2026-11-20T12:00:00.0009Z""#,
        r#""2036-11-20T12:00:00.001Z""#,
        r#""2027-01-01""#,
        r#""""#,
        "1800000000",
    ] {
        assert_eq!(pointers(read(body_with("expiresAt", value))), ["/expiresAt"], "{value}");
    }
}

#[test]
fn all_faults_are_listed() {
    let json = r#"{"scopes":[],"expiresAt":1,"name":"","a/b~c":0}"#;
    assert_eq!(pointers(read(body(json))), ["/mode", "/name", "/expiresAt", "/scopes", "/a~1b~0c"]);
}

//! The body of a note's PATCH request.

use crate::change::{Editable, NoteChange, NoteUpdate, ValidChange};
use crate::resource::Note;
use crate::validation::{Faults, Field, Json, Reference};

use super::bodies::{body, body_with, emojis, pointers, string_array};

fn read(body: Json) -> Result<NoteUpdate, Faults> {
    Note::parse_update(body)
}

#[test]
fn each_field_accepts_valid_values() {
    let (title, content, emoji, tag) = (emojis(500), emojis(60_000), emojis(32), format!("[{}]", emojis(50)));
    let (long, tags) = (format!(r#""{}""#, "x".repeat(200_000)), string_array(50));
    let accepted: [(&str, &[&str]); 7] = [
        ("title", &[r#""""#, r#"" ""#, &title]),
        ("content", &[r#""""#, &content, &long, r#""a\r\n\tb""#]),
        ("pinned", &["true", "false"]),
        ("categoryId", &["null", r#""""#, r#""c""#, r#""no id""#]),
        ("emoji", &[r#""x""#, r#"" ""#, &emoji]),
        ("color", &[r##""#a1B2c3""##, r##""#000000""##]),
        ("tags", &["[]", &tag, &tags]),
    ];
    for (field, values) in accepted {
        for value in values {
            let change = read(body_with(field, value)).unwrap_or_else(|faults| panic!("{field}: {faults:?}"));
            assert!(!Note::is_empty(&change), "{field} {value}");
        }
    }
}

#[test]
fn each_field_rejects_invalid_values() {
    let (title, emoji) = (emojis(501), emojis(33));
    let (content, tags) = (format!(r#""{}""#, "x".repeat(200_001)), string_array(51));
    let invalid: [(&str, &[&str]); 7] = [
        ("title", &["null", &title, "7", r#""\u0000""#]),
        ("content", &["null", &content, "[]", r#""\u0000""#]),
        ("pinned", &["null", r#""true""#, "1"]),
        ("categoryId", &["7", "[]", "{}"]),
        ("emoji", &["null", r#""""#, &emoji, "7", r#""\u0000""#]),
        (
            "color",
            &[
                "null",
                r#""""#,
                r#""red""#,
                r##""#fff""##,
                r#""a1b2c3""#,
                r##""#a1b2cg""##,
                r##""#a1b2c3 ""##,
                r##""#ééé""##,
            ],
        ),
        ("tags", &["null", r#""x""#, &tags]),
    ];
    for (field, values) in invalid {
        for value in values {
            assert_eq!(pointers(read(body_with(field, value))), [format!("/{field}")], "{field} {value}");
        }
    }
}

#[test]
fn all_faults_are_listed() {
    let json = r#"{"x":1,"tags":["",7],"title":1,"content":null,"pinned":0,"categoryId":1,"emoji":"","color":""}"#;
    let expected = ["/title", "/content", "/pinned", "/categoryId", "/emoji", "/color", "/tags/0", "/tags/1", "/x"];
    assert_eq!(pointers(read(body(json))), expected);
    assert_eq!(pointers(read(body("[]"))), [""]);
}

#[test]
fn an_absent_category_is_kept_and_null_or_empty_clears_it() {
    assert!(Note::is_empty(&read(body("{}")).unwrap()));
    for value in ["null", r#""""#] {
        let change = read(body_with("categoryId", value)).unwrap();
        assert_eq!(change, ValidChange(NoteChange { category: Field::Clear, ..NoteChange::default() }));
        assert_eq!(change.named_category(), None);
    }
    let named = read(body_with("categoryId", r#""food""#)).unwrap();
    assert_eq!(named.named_category().unwrap().as_str(), "food");
    let invalid = read(body_with("categoryId", r#""no id""#)).unwrap();
    assert_eq!((&invalid.0.category, invalid.named_category()), (&Field::Set(Reference::Invalid), None));
}

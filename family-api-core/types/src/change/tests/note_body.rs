//! The body of a note's PATCH request.

use crate::change::{Editable, NoteChange, NoteUpdate, ValidChange};
use crate::resource::Note;
use crate::validation::{Faults, Field, Json, Reference};

use super::bodies::{body, body_with, pointers};

fn read(body: Json) -> Result<NoteUpdate, Faults> {
    Note::parse_update(body)
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

//! The list of faults has a bounded size.

use std::iter;

use crate::change::{Faults, FieldFault, NoteChange, TaskChange, TaskUpdate};
use crate::{Error, Problem};

use super::bodies::{body, with};

/// Maximum size of a problem document, in bytes.
const MAX_DOCUMENT: usize = 16 * 1024;

fn document(faults: Faults) -> (Problem, usize) {
    let problem = Problem::new(&Error::InvalidField(faults), &"i".repeat(64));
    let length = serde_json::to_vec(&problem).unwrap().len();
    (problem, length)
}

/// Creates a body of `count` unknown members.
fn unknown_members(count: usize, name: impl Fn(usize) -> String) -> String {
    let members: Vec<String> = (0..count).map(|index| format!("{}:0", serde_json::json!(name(index)))).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_list_over_its_maximum_length_has_one_fault() {
    let ones = format!("[{}]", vec!["1"; 131_000].join(","));
    let task = TaskUpdate::from_body(with("labels", &ones)).unwrap_err();
    let note = NoteChange::from_body(with("tags", &ones)).unwrap_err();
    for (faults, pointer) in [(&task, "/labels"), (&note, "/tags")] {
        let expected = FieldFault { pointer: pointer.to_owned(), detail: "must have at most 50 elements".to_owned() };
        assert_eq!((faults.listed(), faults.count()), (&[expected][..], 1));
    }
    let built = TaskUpdate::from(TaskChange::new().labels(iter::repeat_n("", 131_000)));
    assert_eq!(built.check(), Err(task));
}

#[test]
fn fifty_faults_are_listed_and_all_are_counted() {
    for count in [1, 50, 51, 20_000] {
        let json = unknown_members(count, |index| format!("x{index}"));
        let faults = TaskUpdate::from_body(body(&json)).unwrap_err();
        assert_eq!((faults.listed().len(), faults.count()), (count.min(50), count));
        let (problem, length) = document(faults);
        assert_eq!((problem.errors.len(), problem.error_count), (count.min(50), Some(count)));
        assert!(length <= MAX_DOCUMENT, "{length}");
    }
    let many =
        document(TaskUpdate::from_body(body(&unknown_members(20_000, |index| index.to_string()))).unwrap_err()).0;
    assert_eq!(many.detail, "The request body has 20000 invalid fields.");
}

#[test]
fn known_fields_are_listed_before_unknown_ones() {
    let json = unknown_members(60, |index| format!("x{index}")).replace("\"x59\":0", "\"title\":0");
    let faults = TaskUpdate::from_body(body(&json)).unwrap_err();
    let pointers: Vec<&str> = faults.listed().iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!((pointers[0], pointers[1], pointers[49], faults.count()), ("/title", "/x0", "/x48", 60));
}

#[test]
fn member_names_cannot_make_a_document_too_large() {
    for letter in ["a", "~", "😀", "\u{1}", "\""] {
        for (count, length) in [(1, 40_000), (60, 4_000), (60, 99)] {
            let json = unknown_members(count, |index| format!("{index:02}{}", letter.repeat(length)));
            let faults = TaskUpdate::from_body(body(&json)).unwrap_err();
            let (problem, bytes) = document(faults);
            assert!(bytes <= MAX_DOCUMENT, "{letter:?} {length}: {bytes}");
            assert_eq!(problem.error_count, Some(count));
            assert!((1..=50).contains(&problem.errors.len()));
            let is_cut = problem.errors[0].pointer.ends_with('…');
            assert_eq!(is_cut, length > 98, "{}", problem.errors[0].pointer);
        }
    }
}

#[test]
fn a_long_message_is_truncated() {
    let problem = Problem::new(&Error::InvalidJson("\u{1}".repeat(100_000)), "id");
    assert!(serde_json::to_vec(&problem).unwrap().len() <= MAX_DOCUMENT);
    assert!(problem.detail.ends_with('…') && problem.error_count.is_none());
    let whole = Problem::new(&Error::InvalidJson("it broke off".to_owned()), "id");
    assert_eq!(whole.detail, "The request body is not valid JSON: it broke off.");
}

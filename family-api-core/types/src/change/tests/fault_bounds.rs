//! The list of faults has a bounded size.

use std::iter;

use crate::change::{Editable, TaskChange};
use crate::error_code::ErrorCode;
use crate::problem::Problem;
use crate::resource::{Note, Task};
use crate::validation::{Faults, FieldFault};

use super::bodies::{body, body_with};

/// Maximum size of a problem as JSON, in bytes.
const MAX_PROBLEM_BYTES: usize = 16 * 1024;

fn problem_and_size(faults: &Faults) -> (Problem, usize) {
    let problem = Problem::of_faults(faults, &"i".repeat(64));
    let length = serde_json::to_vec(&problem).unwrap().len();
    (problem, length)
}

/// Creates a body of `count` unknown members.
fn unknown_members(count: usize, name: impl Fn(usize) -> String) -> String {
    let members: Vec<String> = (0..count).map(|index| format!("{}:0", serde_json::json!(name(index)))).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_list_with_too_many_elements_has_one_fault() {
    let ones = format!("[{}]", vec!["1"; 131_000].join(","));
    let task = Task::parse_update(body_with("labels", &ones)).unwrap_err();
    let note = Note::parse_update(body_with("tags", &ones)).unwrap_err();
    for (faults, pointer) in [(&task, "/labels"), (&note, "/tags")] {
        let expected = FieldFault { pointer: pointer.to_owned(), detail: "must have at most 50 elements".to_owned() };
        assert_eq!((faults.listed(), faults.count()), (&[expected][..], 1));
    }
    assert_eq!(TaskChange::new().labels(iter::repeat_n("", 131_000)).build(), Err(task));
}

#[test]
fn fifty_faults_are_listed_and_all_are_counted() {
    for count in [1, 50, 51, 20_000] {
        let json = unknown_members(count, |index| format!("x{index}"));
        let faults = Task::parse_update(body(&json)).unwrap_err();
        assert_eq!((faults.listed().len(), faults.count()), (count.min(50), count));
        let (problem, length) = problem_and_size(&faults);
        assert_eq!((problem.errors.len(), problem.error_count), (count.min(50), Some(count)));
        assert!(length <= MAX_PROBLEM_BYTES, "{length}");
    }
    let many =
        problem_and_size(&Task::parse_update(body(&unknown_members(20_000, |index| index.to_string()))).unwrap_err()).0;
    assert_eq!(many.detail, "The request body has 20000 invalid fields.");
}

#[test]
fn faults_of_known_fields_are_listed_before_unknown_fields() {
    let json = unknown_members(60, |index| format!("x{index}")).replace("\"x59\":0", "\"title\":0");
    let faults = Task::parse_update(body(&json)).unwrap_err();
    let pointers: Vec<&str> = faults.listed().iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!((pointers[0], pointers[1], pointers[49], faults.count()), ("/title", "/x0", "/x48", 60));
}

#[test]
fn long_member_names_do_not_make_a_problem_too_large() {
    for letter in ["a", "~", "😀", "\u{1}", "\""] {
        for (count, length) in [(1, 40_000), (60, 4_000), (60, 99)] {
            let json = unknown_members(count, |index| format!("{index:02}{}", letter.repeat(length)));
            let faults = Task::parse_update(body(&json)).unwrap_err();
            let (problem, bytes) = problem_and_size(&faults);
            assert!(bytes <= MAX_PROBLEM_BYTES, "{letter:?} {length}: {bytes}");
            assert_eq!(problem.error_count, Some(count));
            assert!((1..=50).contains(&problem.errors.len()));
            let is_cut = problem.errors[0].pointer.ends_with('…');
            assert_eq!(is_cut, length > 98, "{}", problem.errors[0].pointer);
        }
    }
}

#[test]
fn a_long_problem_detail_is_truncated() {
    let problem = Problem::new(ErrorCode::InvalidJson, &"\u{1}".repeat(100_000), "id");
    assert!(serde_json::to_vec(&problem).unwrap().len() <= MAX_PROBLEM_BYTES);
    assert!(problem.detail.ends_with('…') && problem.error_count.is_none());
    let whole = Problem::new(ErrorCode::InvalidJson, "it broke off", "id");
    assert_eq!(whole.detail, "It broke off.");
}

//! Tests of names.

use super::*;

fn columns() -> Vec<Named> {
    let column = |id: &str, name: &str, other_names: &[&str]| Named {
        id: id.to_owned(),
        name: name.to_owned(),
        other_names: other_names.iter().map(|&name| name.to_owned()).collect(),
        other_id: (id == "a").then(|| "home-board".to_owned()),
        board: None,
    };
    vec![
        column("a", "Home / To do", &["To do", "Home"]),
        column("b", "Garden / To do", &["To do", "Garden"]),
        column("c", "Garden / Done", &["Done"]),
        column("Done", "Garden / Later", &["Later"]),
        column("d", "Café / Laundry", &["Laundry"]),
    ]
}

#[test]
fn a_record_is_found_by_its_id_or_any_name_of_its_own() {
    for (wanted, id) in [
        ("a", "a"),
        ("home-board", "a"),
        ("home", "a"),
        (" HOME / to do ", "a"),
        ("Garden", "b"),
        ("done ", "c"),
        // An id comes before a name.
        ("Done", "Done"),
        // A beginning is enough if no other name has it.
        ("lat", "Done"),
        ("cafe", "d"),
    ] {
        assert_eq!(find(&columns(), wanted).unwrap().id, id, "{wanted}");
    }
}

#[test]
fn an_unclear_name_lists_the_possible_records() {
    for (wanted, fault, listed, unlisted) in [
        ("to do", "several have this name", "Home / To do [a], Garden / To do [b]", "[c]"),
        ("la", "several names begin like this", "Garden / Later [Done], Café / Laundry [d]", "[a]"),
        ("Cellar", "no such name or id", "[c]", "Cellar"),
        (" ", "no such name or id", "[c]", "begin"),
    ] {
        let reason = find(&columns(), wanted).unwrap_err();
        assert!(reason.starts_with(fault) && reason.contains(listed) && !reason.contains(unlisted), "{reason}");
    }
    assert_eq!(find(&[], "Home").unwrap_err(), "no such name or id, and you see none");
    assert!(find_by(&columns(), "lat", false).unwrap_err().starts_with("no such name or id"));
    assert_eq!(find_by(&columns(), "later", false).unwrap().id, "Done");
}

#[test]
fn an_argument_sets_the_field_that_it_names() {
    for kind in RecordKind::ALL {
        for reference in references(kind) {
            assert_eq!(field(kind, reference.argument), reference.field);
            assert_eq!(argument(reference.field), reference.argument);
        }
    }
    // The category of an item is a text.
    assert_eq!(field(RecordKind::ShoppingItem, "category"), "category");
}

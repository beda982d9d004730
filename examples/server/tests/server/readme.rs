//! Compares the server's README with the binary: the import example, the options and their defaults.

use crate::sandbox::Sandbox;

const README: &str = include_str!("../../README.md");

/// Returns the JSON Lines of the section "Import format".
fn import_example() -> &'static str {
    let (_, section) = README.split_once("## Import format").unwrap();
    let (_, example) = section.split_once("```json\n").unwrap();
    example.split_once("```").unwrap().0
}

#[test]
fn the_import_example_has_one_record_of_each_type() {
    let sandbox = Sandbox::on_sqlite();
    let summary = sandbox.succeed(&["import", "-"], import_example());
    let counts: Vec<Vec<&str>> = summary.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    for kind in family_api_core::storage::Record::KINDS {
        assert!(counts.contains(&vec![kind, "1"]), "{kind}: {summary}");
    }
}

#[test]
fn the_readme_lists_every_command_option_and_variable() {
    let sandbox = Sandbox::on_sqlite();
    let commands = [
        &["serve"][..],
        &["demo"],
        &["import"],
        &["export"],
        &["backup"],
        &["restore"],
        &["family", "add"],
        &["family", "list"],
        &["user", "add"],
        &["user", "list"],
        &["user", "set-password"],
        &["user", "set"],
        &["family", "remove"],
        &["user", "remove"],
        &["user", "move"],
        &["key", "list"],
        &["key", "revoke"],
        &["session", "end"],
        &["connection", "list"],
        &["connection", "revoke"],
        &["feed", "list"],
        &["feed", "revoke"],
        &["check"],
        &["health"],
    ];
    for arguments in commands {
        let help = sandbox.succeed(&[arguments, &["--help"]].concat(), "");
        assert!(README.contains(&format!("`{}", arguments.join(" "))), "{arguments:?}");
        for option in help.split_whitespace().filter(|word| word.starts_with("--") && *word != "--help") {
            let option = option.trim_end_matches([',', ')', '.', ';']);
            assert!(README.contains(&format!("| `{option}` |")), "{option}");
        }
        for variable in help.split("[env: ").skip(1).map(|rest| rest.split(['=', ']']).next().unwrap()) {
            assert!(README.contains(&format!("| `{variable}` |")), "{variable}");
        }
    }
}

#[test]
fn the_readme_states_the_defaults_of_the_options() {
    let sandbox = Sandbox::on_sqlite();
    let help = sandbox.succeed(&["serve", "--help"], "");
    let mut option = "";
    let mut defaults = 0;
    for line in help.lines().map(str::trim) {
        if line.starts_with("--") {
            option = line.split_whitespace().next().unwrap();
        }
        if let Some(default) = line.strip_prefix("[default: ").and_then(|rest| rest.strip_suffix(']')) {
            let row = README.lines().find(|line| line.starts_with(&format!("| `{option}` |"))).unwrap();
            assert!(row.contains(&format!("| `{default}` |")), "{option}: {default}");
            defaults += 1;
        }
    }
    assert!(defaults >= 8, "{help}");
}

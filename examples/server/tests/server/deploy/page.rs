//! The commands of the page.

use crate::backend::{Backend, on_each_backend};
use crate::client::sign_in;
use crate::deploy::{BINARY, PAGE, UNIT, assert_command_exists, assert_variable_exists};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;

/// Returns the commands of the page: the lines of its consoles, without `#` or `$`.
fn commands() -> Vec<&'static str> {
    let consoles = PAGE.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = consoles.flat_map(str::lines);
    lines.filter_map(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix("$ "))).collect()
}

/// Returns the lines that the page passes to `import`.
fn import_lines() -> &'static str {
    let (_, rest) = PAGE.split_once("family-admin import - <<'END'\n").unwrap();
    rest.split_once("END\n").unwrap().0
}

/// Returns the variables that the page writes to the settings of the unit, without quotes.
fn settings() -> Vec<(&'static str, &'static str)> {
    let texts = commands().into_iter().filter(|command| command.contains("/etc/family-api/environment"));
    let texts = texts.filter_map(|command| command.strip_prefix("echo ")?.split_once(" >").map(|(text, _)| text));
    texts.map(|text| text.trim_matches(['"', '\'']).split_once('=').unwrap()).collect()
}

on_each_backend! {
    the_page_leads_from_nothing_to_a_sign_in,
}

async fn the_page_leads_from_nothing_to_a_sign_in(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let output = sandbox.import(import_lines());
    assert!(output.status.success(), "{output:?}");
    let email = "ana@family.example";
    let output = sandbox.run(&["user", "set-password", email], &format!("{PASSWORD}\n"));
    assert!(output.status.success(), "{output:?}");

    let (variable, public_url) = settings()[0];
    assert_eq!(variable, "FAMILY_API_PUBLIC_URL");
    let server = sandbox.serve_with(&[], &[(variable, public_url)]);
    let output = sandbox.run(&["health", "--ready", "--listen", server.address()], "");
    assert!(output.status.success(), "{output:?}");
    let answer = sign_in(&server, email, PASSWORD).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"), "{answer:?}");
    assert!(server.stop().success());
}

#[test]
fn every_command_of_the_page_exists() {
    let programs = ["family-admin ", "family-api-server ", "docker compose exec -T server family-api-server "];
    let mut checked = 0;
    for command in commands() {
        let Some(arguments) = programs.iter().find_map(|program| command.strip_prefix(program)) else { continue };
        let words: Vec<&str> = arguments.split_whitespace().take_while(|word| !word.starts_with('<')).collect();
        assert_command_exists(&words);
        checked += 1;
    }
    assert!(checked >= 5, "{checked}");
}

#[test]
fn every_variable_of_the_page_exists() {
    let settings = settings();
    assert!(settings.iter().any(|(variable, _)| *variable == "DATABASE_URL"), "{settings:?}");
    for (variable, _) in settings {
        assert_variable_exists(variable);
    }
}

#[test]
fn the_page_installs_what_the_unit_uses() {
    let has = |command: &str| commands().iter().any(|line| line.contains(command));
    assert!(has("install -m 0755 family-api-server family /usr/local/bin") && UNIT.contains(BINARY));
    assert!(has("useradd --system --home-dir /var/lib/family-api") && has("/usr/sbin/nologin family-api"));
    assert!(has("install -d -m 0700 -o family-api -g family-api /var/lib/family-api"));
    for setting in ["User=family-api", "StateDirectory=family-api", "EnvironmentFile=-/etc/family-api/environment"] {
        assert!(UNIT.lines().any(|line| line == setting), "{setting}");
    }
}

#[test]
fn the_archive_has_the_version_of_the_binary() {
    let archives =
        PAGE.split("family-api-").skip(1).filter_map(|rest| rest.split_once("-x86_64-")).map(|(version, _)| version);
    let versions: Vec<&str> = archives.filter(|version| version.len() < 20).collect();
    assert!(
        !versions.is_empty() && versions.iter().all(|version| *version == env!("CARGO_PKG_VERSION")),
        "{versions:?}"
    );
}

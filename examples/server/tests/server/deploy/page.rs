//! The commands of the page.

use std::fs;

use family_api_testing::{Server as PostgresServer, postgres_tests};

use crate::backend::{Backend, on_each_backend};
use crate::client::{sign_in, with_token};
use crate::deploy::machine::Machine;
use crate::deploy::{PAGE, UNIT, assert_command_exists, assert_variable_exists};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

/// Returns the commands in a part of the page, without `#` or `$`. The lines after a command belong to it: continued
/// lines, a text that the command reads, or its output.
fn commands(part: &str) -> Vec<String> {
    let consoles = part.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut commands: Vec<String> = Vec::new();
    for line in consoles.flat_map(str::lines) {
        match line.strip_prefix("# ").or_else(|| line.strip_prefix("$ ")) {
            Some(command) => commands.push(command.to_owned()),
            None => commands.last_mut().unwrap().extend(["\n", line]),
        }
    }
    commands
}

/// Returns the section of the page with this number.
fn step(number: u8) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("\n## {number}. ")).unwrap();
    rest.split("\n## ").next().unwrap()
}

on_each_backend! {
    the_page_leads_from_nothing_to_a_sign_in,
}

async fn the_page_leads_from_nothing_to_a_sign_in(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let machine = Machine::new(&sandbox);
    let mut server: Option<Server> = None;
    let mut passed = Vec::new();
    for command in [step(2), step(3)].into_iter().flat_map(commands) {
        let (program, arguments) = command.split_once(' ').unwrap();
        match program {
            "systemctl" if arguments == "enable --now family-api" => {
                server = Some(machine.serve());
            }
            // The service manager is not part of the test.
            "cp" | "systemctl" => continue,
            "family-admin" if arguments.starts_with("health ") => {
                let (arguments, expected) = arguments.split_once('\n').unwrap();
                let address = server.as_ref().unwrap().address();
                let words: Vec<&str> = arguments.split(' ').chain(["--listen", address]).collect();
                let output = sandbox.run(&words, "");
                assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), expected);
            }
            _ => machine.run(&command, &format!("{PASSWORD}\n")),
        }
        passed.push(program.to_owned());
    }
    let expected = ["install", "(umask", "systemctl", "family-admin", "family-admin", "family-admin", "family-admin"];
    assert_eq!(passed, expected);

    let server = server.unwrap();
    let answer = sign_in(&server, "ana@family.example", PASSWORD).await;
    assert_eq!((answer.status, &answer.json()["familyId"]), (200, &"rivera".into()));
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"), "{answer:?}");
    assert!(server.stop().success());
}

postgres_tests! {
    async fn families_move_to_postgresql_with_passwords_and_keys() {
        let section = PAGE.split("\n### From SQLite to PostgreSQL").nth(1).unwrap().split("\n## ").next().unwrap();
        let commands = commands(section);
        let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
        let key = create_key(&server, &session_cookie(&server, "ana").await).await.token;
        assert!(server.stop().success());
        let target = Sandbox::on_database(PostgresServer::shared().create_database().await);
        let mut run = Vec::new();
        for command in commands.iter().filter_map(|command| command.strip_prefix("family-admin ")) {
            let words: Vec<&str> = command.split(' ').collect();
            let place = if words[0] == "export" { &sandbox } else { &target };
            let output = place.run(&words, "");
            assert!(output.status.success(), "{command}: {output:?}");
            if words[0] == "export" {
                fs::copy(sandbox.path("families.jsonl"), target.path("families.jsonl")).unwrap();
            }
            run.push(words[0]);
        }
        assert_eq!(run, ["export", "import"]);
        let server = target.serve();
        assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
        assert_eq!(with_token(&server, &key, "GET", "/api/v1/read/notes", None).await.json()[0]["title"], "wifi");
    }
}

#[test]
fn every_command_of_the_page_exists() {
    let programs = ["family-admin ", "family-api-server ", "docker compose exec server family-api-server "];
    let mut checked = 0;
    for command in commands(PAGE) {
        let command = command.lines().next().unwrap();
        let Some(arguments) = programs.iter().find_map(|program| command.strip_prefix(program)) else { continue };
        let words: Vec<&str> = arguments.split_whitespace().take_while(|word| !word.starts_with('<')).collect();
        assert_command_exists(&words);
        checked += 1;
    }
    assert!(checked >= 6, "{checked}");
}

#[test]
fn every_variable_of_the_page_exists() {
    let commands = commands(PAGE);
    let words = commands.iter().flat_map(|command| command.split([' ', '\n', '"', '\'']));
    let mut variables: Vec<&str> = words.filter_map(|word| Some(word.split_once('=')?.0)).collect();
    // The command `family` reads these two.
    variables.retain(|name| !["FAMILY_API_URL", "FAMILY_API_TOKEN"].contains(name));
    variables.retain(|name| name.starts_with("FAMILY_API_") || *name == "DATABASE_URL");
    assert!(variables.contains(&"FAMILY_API_TRUSTED_PROXIES") && variables.contains(&"DATABASE_URL"), "{variables:?}");
    variables.into_iter().for_each(assert_variable_exists);
}

#[test]
fn the_page_installs_what_the_unit_uses() {
    let commands = commands(PAGE);
    let has = |text: &str| commands.iter().any(|command| command.contains(text));
    assert!(has("install -m 0755 family-api-server family deploy/family-admin /usr/local/bin"));
    assert!(has("useradd --system --home-dir /var/lib/family-api") && has("/usr/sbin/nologin family-api"));
    assert!(has("install -d -m 0700 -o family-api -g family-api /var/lib/family-api"));
    for setting in [
        "ExecStart=/usr/local/bin/family-api-server serve",
        "User=family-api",
        "StateDirectory=family-api",
        "EnvironmentFile=-/etc/family-api/environment",
    ] {
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

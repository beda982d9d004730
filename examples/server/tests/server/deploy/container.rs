//! The image and the compose file.

use std::fs;
use std::path::Path;

use crate::deploy::{BINARY, assert_command_exists, assert_variable_exists};

const DOCKERFILE: &str = include_str!("../../../deploy/Dockerfile");
const IGNORED: &str = include_str!("../../../deploy/Dockerfile.dockerignore");
const COMPOSE: &str = include_str!("../../../deploy/compose.yaml");
const WORKSPACE: &str = include_str!("../../../../../Cargo.toml");

/// Returns the arguments of an instruction, once for each time that the Dockerfile has it. Joins continued lines.
fn instructions(name: &str) -> Vec<String> {
    let joined = DOCKERFILE.replace("\\\n", " ");
    joined.lines().filter_map(|line| Some(line.strip_prefix(name)?.strip_prefix(' ')?.to_owned())).collect()
}

/// Returns the only instruction with this name.
fn instruction(name: &str) -> String {
    let [found] = <[String; 1]>::try_from(instructions(name)).unwrap();
    found
}

/// Parses the words of an instruction in the form of JSON.
fn words(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn the_image_is_built_with_the_rust_version_and_profile_of_the_repository() {
    let tag = format!("rust:{}-bookworm@sha256:", env!("CARGO_PKG_RUST_VERSION"));
    assert!(instructions("FROM")[0].starts_with(&tag));
    let profile = instruction("ARG");
    let profile = profile.strip_prefix("PROFILE=").unwrap();
    assert!(WORKSPACE.contains(&format!("[profile.{profile}]\n")), "{profile}");
    assert!(instruction("RUN").contains(concat!(" --package ", env!("CARGO_PKG_NAME"), " ")));
}

#[test]
fn the_image_starts_and_checks_the_binary_without_root() {
    let (user, group) =
        instruction("USER").split_once(':').map(|(user, group)| (user.to_owned(), group.to_owned())).unwrap();
    assert!(user.parse::<u32>().unwrap() > 0 && group.parse::<u32>().unwrap() > 0);
    assert!(instructions("COPY").iter().any(|copy| copy.ends_with(&format!(" {BINARY}"))));
    assert_eq!(words(&instruction("ENTRYPOINT")), [BINARY]);
    let command = words(&instruction("CMD"));
    assert_command_exists(&command.iter().map(String::as_str).collect::<Vec<_>>());
    let health = instruction("HEALTHCHECK");
    let (_, health) = health.split_once("CMD ").unwrap();
    let health = words(health);
    assert_eq!(health[0], BINARY);
    assert_command_exists(&health[1..].iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_image_keeps_its_data_in_a_volume_of_its_user() {
    let folder = instruction("VOLUME");
    assert_eq!(instructions("WORKDIR").last(), Some(&folder));
    let owner = format!("--chown={} ", instruction("USER"));
    let data = instructions("COPY").into_iter().find(|copy| copy.ends_with(&format!(" {folder}"))).unwrap();
    assert!(data.contains(&owner), "{data}");
}

#[test]
fn the_image_listens_on_the_port_that_it_exposes() {
    let listen = instructions("ENV").into_iter().find(|variable| variable.starts_with("FAMILY_API_LISTEN=")).unwrap();
    let (variable, address) = listen.split_once('=').unwrap();
    assert_variable_exists(variable);
    assert_eq!(address, format!("0.0.0.0:{}", instruction("EXPOSE")));
}

#[test]
fn the_context_of_the_image_has_all_packages() {
    let included: Vec<&str> = IGNORED.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let is_included = |name: &str| {
        included.iter().any(|entry| entry.strip_suffix('*').map_or(name == *entry, |start| name.starts_with(start)))
    };
    let (_, members) = WORKSPACE.split_once("members = [").unwrap();
    // The members are in quotes.
    for member in members.split(']').next().unwrap().split('"').skip(1).step_by(2) {
        let folder = member.split('/').next().unwrap();
        assert!(is_included(folder), "{member}");
    }
    assert!(is_included("Cargo.toml") && is_included("Cargo.lock") && !is_included("target"));
}

#[test]
fn the_compose_file_matches_the_image() {
    let variables = COMPOSE.lines().filter_map(|line| line.trim().split_once(": ")).map(|(name, _)| name);
    let variables: Vec<&str> =
        variables.filter(|name| name.starts_with("FAMILY_API_") || *name == "DATABASE_URL").collect();
    assert_eq!(variables, ["DATABASE_URL", "FAMILY_API_PUBLIC_URL", "FAMILY_API_TRUSTED_PROXIES"]);
    variables.into_iter().for_each(assert_variable_exists);
    assert!(COMPOSE.contains(&format!("- 127.0.0.1:8080:{}\n", instruction("EXPOSE"))));

    let value =
        |name: &str| COMPOSE.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": ")).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(value("context"));
    assert_eq!(fs::read_to_string(folder.join(value("dockerfile"))).unwrap(), DOCKERFILE);
    assert_eq!(value("FAMILY_API_TRUSTED_PROXIES"), value("gateway"));
    assert_eq!(value("POSTGRES_USER"), "family");
    assert!(
        value("DATABASE_URL").starts_with("postgres://family:$") && value("DATABASE_URL").ends_with("@database/family")
    );
}

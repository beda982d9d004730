//! The sources of the key.

use std::io::ErrorKind;
use std::net::TcpListener;

use family_api_core::key::KeyMode;

use crate::sandbox::{Run, Sandbox, run};

fn key(sandbox: &Sandbox) -> String {
    sandbox.service.key(KeyMode::V1Read)
}

#[test]
fn the_key_is_read_from_the_configuration_directory() {
    let sandbox = Sandbox::new();
    run(&mut sandbox.command(&["me"])).failed_with(3, &["/.config/family/token"]);
    sandbox.file(".config/family/token", &format!("{}\n", key(&sandbox)), 0o600);
    run(&mut sandbox.command(&["me"])).succeeded();

    let folder = sandbox.file("elsewhere/family/token", &format!("{}\r\n", key(&sandbox)), 0o400);
    let elsewhere = folder.parent().unwrap().parent().unwrap();
    sandbox.file(".config/family/token", "canary", 0o600);
    run(sandbox.command(&["me"]).env("XDG_CONFIG_HOME", elsewhere)).succeeded();
}

#[test]
fn options_override_variables_and_variables_override_files() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("file", &key(&sandbox), 0o600);
    let wrong = sandbox.file("wrong", "canary", 0o600);
    sandbox.file(".config/family/token", "canary", 0o600);
    let file = file.to_str().unwrap();
    let wrong = wrong.to_str().unwrap();
    let me = |arguments: &[&str], variables: &[(&str, &str)]| -> Run {
        run(sandbox.command(arguments).arg("me").envs(variables.iter().copied()))
    };
    me(&["--token-file", file], &[("FAMILY_API_TOKEN", "canary"), ("FAMILY_API_TOKEN_FILE", wrong)]).succeeded();
    me(&[], &[("FAMILY_API_TOKEN", &key(&sandbox)), ("FAMILY_API_TOKEN_FILE", wrong)]).succeeded();
    me(&[], &[("FAMILY_API_TOKEN", ""), ("FAMILY_API_TOKEN_FILE", file)]).succeeded();
    assert_eq!(me(&[], &[("FAMILY_API_TOKEN_FILE", wrong)]).failed().0, 3);
}

#[test]
fn a_key_file_that_others_can_access_is_refused_with_advice() {
    let sandbox = Sandbox::new();
    for mode in [0o640, 0o620, 0o604, 0o602, 0o666] {
        let path = sandbox.file("token", &format!("canary-{mode}"), mode);
        let path = path.to_str().unwrap();
        run(&mut sandbox.command(&["me", "--token-file", path])).failed_with(2, &[&format!("chmod 600 {path}")]);
    }
}

#[test]
fn a_key_file_without_a_key_is_refused_and_not_quoted() {
    let sandbox = Sandbox::new();
    sandbox.file("empty", "\n", 0o600);
    sandbox.file("lines", "canary\nand more", 0o600);
    sandbox.file("long", &format!("{}\n", "x".repeat(4_096)), 0o600);
    let (_, message) = run(&mut sandbox.command(&["me", "--token-file", "long"])).failed();
    assert!(message.contains("longer than 4,096 bytes"), "{message}");
    for name in ["empty", "lines", "missing", ".", "long"] {
        assert_eq!(run(&mut sandbox.command(&["me", "--token-file", name])).failed().0, 2, "{name}");
    }
}

#[test]
fn no_option_takes_a_secret() {
    let sandbox = Sandbox::new();
    for option in ["--token", "--key", "--password", "--cookie"] {
        assert_eq!(run(&mut sandbox.command(&["keys", "list", option, "canary"])).code, 2, "{option}");
    }
    let help =
        run(sandbox.command(&["--help"]).env("FAMILY_API_TOKEN", "canary").env("FAMILY_API_URL", "http://canary"));
    assert!(!help.succeeded().contains("canary"));
}

#[test]
fn requests_to_this_machine_use_no_proxy() {
    let sandbox = Sandbox::new();
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let token = key(&sandbox);
    let mut command = sandbox.command(&["me"]);
    run(command
        .env("FAMILY_API_TOKEN", token)
        .envs(["HTTP_PROXY", "http_proxy", "ALL_PROXY"].map(|name| (name, &address))))
    .succeeded();
    proxy.set_nonblocking(true).unwrap();
    assert_eq!(proxy.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

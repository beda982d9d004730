//! Commands that need a session: keys and the personal API.

use std::fs::OpenOptions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use family_api_client::{Clock, SystemClock, Timestamp};

use crate::records::EMAIL;
use crate::sandbox::{Sandbox, run, run_into};
use crate::sign_in::PASSWORD;

#[test]
fn a_new_key_is_the_only_standard_output_and_works() {
    let sandbox = Sandbox::new();
    let created = sandbox.run_signed_in(&["keys", "create", "--mode", "v1_read", "--name", " Kitchen "]);
    assert_eq!(created.code, 0, "{created:?}");
    let token = created.out.strip_suffix('\n').unwrap();
    assert!(token.starts_with("fam_") && !token.contains(char::is_whitespace));
    assert!(created.err.starts_with("family: created the key ") && !created.err.contains("fam_"), "{created:?}");
    assert!(run(sandbox.command(&["me"]).env("FAMILY_API_TOKEN", token)).succeeded().contains(EMAIL));
    assert_eq!(sandbox.service.sessions.count(), (1, 0));
}

#[test]
fn a_saved_key_is_used_and_never_overwritten() {
    let sandbox = Sandbox::new();
    let create = ["keys", "create", "--mode", "v1_full", "--save"];
    // A key that cannot be created leaves no file.
    assert_eq!(sandbox.run_signed_in(&[&create[..], &["--name", ""]].concat()).failed().0, 2);
    let created = sandbox.run_signed_in(&create);
    assert!(created.code == 0 && created.out.is_empty() && !created.err.contains("fam_"), "{created:?}");
    assert!(created.err.contains("/.config/family/token"), "{created:?}");
    run(&mut sandbox.command(&["task", "add", "Tidy up"])).succeeded();
    let mode = sandbox.open(".config/family/token").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let advice =
        ["exists already. Revoke its key if you do not need it", "Then run `rm ", "/token` and repeat the command"];
    sandbox.run_signed_in(&create).failed_with(2, &advice);
    assert_eq!(sandbox.run_signed_in(&["keys", "list", "--json"]).json()["tokens"].as_array().unwrap().len(), 1);
}

#[test]
fn a_new_key_can_be_printed_as_json() {
    let sandbox = Sandbox::new();
    let arguments = ["keys", "create", "--mode", "mcp_read", "--expires", "2030-01-01", "--json"];
    let key = sandbox.run_signed_in(&arguments).json();
    // The day begins in the profile's time zone.
    assert_eq!((&key["mode"], &key["expiresAt"]), (&"mcp_read".into(), &"2029-12-31T23:00:00.000Z".into()));
    assert!(key["token"].as_str().unwrap().starts_with("fam_"));
    let arguments = ["keys", "create", "--mode", "mcp_read", "--expires", "2030-01-01T00:00:00+01:00", "--json"];
    assert_eq!(sandbox.run_signed_in(&arguments).json()["expiresAt"], key["expiresAt"]);
}

#[test]
fn a_new_key_expires_in_90_days_or_when_the_user_says() {
    let sandbox = Sandbox::new();
    let expires = |more: &[&str]| {
        let create = [&["key", "create", "--mode", "mcp_read", "--json"], more].concat();
        sandbox.run_signed_in(&create).json()["expiresAt"].as_str().map(|at| at.parse::<Timestamp>().unwrap())
    };
    let passed = expires(&[]).unwrap().as_millis() - SystemClock.now().as_millis();
    let minute = 60_000;
    assert!((passed - 90 * 24 * 60 * minute).abs() < 10 * minute, "{passed}");
    assert_eq!(expires(&["--expires", "never"]), None);
    let refused = sandbox.run_signed_in(&["key", "create", "--mode", "mcp_read", "--expires", "soon"]);
    assert!(refused.code == 2 && refused.err.contains("an RFC 3339 time or `never`"), "{refused:?}");
}

#[test]
fn keys_are_listed_and_revoked() {
    let sandbox = Sandbox::new();
    let created = sandbox.run_signed_in(&["keys", "create", "--mode", "v1_read", "--name", "Kitchen", "--json"]).json();
    let id = created["id"].as_str().unwrap();
    let token = created["token"].as_str().unwrap();
    let listed = sandbox.run_signed_in(&["keys", "list"]).succeeded();
    assert!(listed.contains("Kitchen") && listed.contains(id) && !listed.contains(token), "{listed}");
    assert_eq!(sandbox.run_signed_in(&["keys", "list", "--json"]).json()["tokens"][0]["id"], id);

    let revoked = sandbox.run_signed_in(&["keys", "revoke", id]).succeeded();
    assert!(revoked.starts_with(&format!("Revoked key  {id}\n")), "{revoked}");
    run(sandbox.command(&["me"]).env("FAMILY_API_TOKEN", token)).failed_with(3, &["(invalid_token)"]);
    assert_eq!(sandbox.run_signed_in(&["keys", "revoke", id]).failed().0, 4);
    assert_eq!(sandbox.service.sessions.count(), (5, 0));
}

#[test]
fn the_personal_api_is_turned_off_and_on() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run_signed_in(&["api", "off"]).succeeded().contains("Personal API  off\n"));
    sandbox
        .run_signed_in(&["keys", "create", "--mode", "v1_read"])
        .failed_with(3, &["(api_disabled)", "family api on"]);
    assert_eq!(sandbox.service.sessions.count(), (2, 0), "the session is ended after a failure too");
    assert_eq!(sandbox.run_signed_in(&["api", "on", "--json"]).json()["personalApiEnabled"], true);
    sandbox.run_signed_in(&["keys", "create", "--mode", "v1_read", "--json"]).succeeded();
}

#[test]
fn an_existing_session_is_used_and_not_ended() {
    let sandbox = Sandbox::new();
    let cookie = sandbox.service.sessions.open();
    run(sandbox.command(&["keys", "list"]).env("FAMILY_API_COOKIE", &cookie)).succeeded();
    assert_eq!(sandbox.service.sessions.count(), (1, 1));
    let ended = run(sandbox.command(&["keys", "list"]).env("FAMILY_API_COOKIE", "family_session=session_canary_0"));
    assert_eq!(ended.failed().0, 3);
}

#[test]
fn a_wrong_password_exits_with_3_and_an_empty_or_long_one_is_not_sent() {
    let sandbox = Sandbox::new();
    for (input, expected, part) in [
        ("canary-wrong\n", 3, ""),
        ("", 2, "the password is empty"),
        ("\n", 2, "the password is empty"),
        (&PASSWORD.repeat(300), 2, "longer than 4,096 bytes"),
    ] {
        sandbox.run_with_password(input, &["keys", "list", "--email", EMAIL]).failed_with(expected, &[part]);
    }
    assert_eq!(sandbox.service.sessions.count(), (0, 0));
}

#[test]
fn a_failed_sign_out_is_reported_but_is_not_a_failure() {
    let sandbox = Sandbox::new();
    let url = format!("{}/without-logout", sandbox.service.url);
    let created = sandbox.run_signed_in(&["keys", "create", "--mode", "v1_read", "--url", &url]);
    assert!(created.code == 0 && created.out.starts_with("fam_"), "{created:?}");
    assert!(created.err.contains("family: the session could not be ended: "), "{created:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_that_cannot_be_printed_is_reported_with_its_id() {
    let sandbox = Sandbox::new();
    let cookie = sandbox.service.sessions.open();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = sandbox.command(&["keys", "create", "--mode", "v1_read"]);
    let (code, message) = run_into(full, command.env("FAMILY_API_COOKIE", &cookie)).failed();
    let id = message.split('`').nth(1).and_then(|hint| hint.strip_prefix("family key revoke ")).unwrap();
    assert_eq!(code, 1);
    run(sandbox.command(&["keys", "revoke", id]).env("FAMILY_API_COOKIE", &cookie)).succeeded();
}

#[test]
fn a_key_that_cannot_be_saved_is_reported_with_its_id_and_leaves_no_file() {
    let sandbox = Sandbox::new();
    let mut save = sandbox.command(&["keys", "create", "--mode", "v1_read", "--save"]);
    save.env("FAMILY_API_COOKIE", sandbox.service.sessions.open());
    // With this limit, each write to a file fails.
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]).arg(save.get_program()).args(save.get_args());
    limited.env_clear().envs(save.get_envs().filter_map(|(name, value)| Some((name, value?))));
    run(&mut limited).failed_with(1, &["`family key revoke "]);
    assert_eq!(sandbox.run_signed_in(&["keys", "create", "--mode", "v1_read", "--save"]).code, 0);
}

#[test]
fn a_session_is_ended_if_the_login_response_cannot_be_decoded() {
    let sandbox = Sandbox::new();
    let url = format!("{}/unreadable", sandbox.service.url);
    sandbox.run_signed_in(&["keys", "list", "--url", &url]).failed_with(5, &["unexpected shape"]);
    assert_eq!(sandbox.service.sessions.count(), (1, 0));
}

#[test]
fn a_host_with_its_own_sign_in_exits_with_2_and_advice() {
    let sandbox = Sandbox::new();
    let url = format!("{}/elsewhere", sandbox.service.url);
    sandbox.run_signed_in(&["keys", "list", "--url", &url]).failed_with(2, &["FAMILY_API_COOKIE"]);
}

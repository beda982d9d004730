//! `demo`: what it prints works when pasted.

use std::path::Path;

use crate::curl::Curl;
use crate::sandbox::Sandbox;

#[tokio::test]
async fn every_printed_line_works_when_pasted() {
    let sandbox = Sandbox::new();
    let server = sandbox.start(&["demo", "--listen", "127.0.0.1:0"], &[], "Press Ctrl-C");
    let lines: Vec<&str> = server.printed.lines().map(str::trim).filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 10);
    let mut curl = Curl::default();
    for line in &lines {
        let answer = curl.run(&server, line).await;
        assert!((200..300).contains(&answer.status), "{line}\n{answer:?}");
        assert!(answer.json().as_array().is_none_or(|list| !list.is_empty()), "{line} answers with nothing");
    }
    let jar = server.printed.split('\'').find(|word| word.ends_with("/cookies")).unwrap().to_owned();
    let folder = Path::new(&jar).parent().unwrap();
    assert!(folder.exists());
    assert!(server.stop().success());
    assert!(!folder.exists(), "the demo leaves nothing behind");
}

#[test]
fn two_demos_run_beside_each_other() {
    let sandbox = Sandbox::new();
    let first = sandbox.start(&["demo", "--listen", "127.0.0.1:0"], &[], "Press Ctrl-C");
    let second = sandbox.start(&["demo", "--listen", "127.0.0.1:0"], &[], "Press Ctrl-C");
    assert_ne!(first.url, second.url);
    assert!(first.stop().success() && second.stop().success());
}

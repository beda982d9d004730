//! The command `health`.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::backend::{Backend, on_each_backend};
use crate::sandbox::Sandbox;

on_each_backend! {
    a_running_server_is_healthy_and_ready,
}

async fn a_running_server_is_healthy_and_ready(backend: Backend) {
    let (sandbox, server) = Sandbox::new(backend).await.served();
    let listen = server.address().to_owned();
    for arguments in [&["health", "--listen", &listen][..], &["health", "--ready", "--listen", &listen]] {
        let output = sandbox.run(arguments, "");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"ok\n"[..]), "{output:?}");
        assert!(output.stderr.is_empty());
    }
    let output = sandbox.command(&["health"]).env("FAMILY_API_LISTEN", &listen).output().unwrap();
    assert!(output.status.success(), "{output:?}");

    assert!(server.stop().success());
    let error = sandbox.fail(&["health", "--listen", &listen], "");
    assert!(error.starts_with(&format!("the server at {listen} does not answer: ")), "{error}");
}

#[test]
fn a_server_that_is_not_ready_is_named_with_its_status() {
    for (answer, message) in [
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", "answers with the status 503"),
        ("220 mail.example ESMTP\r\n", "does not answer: it is not an HTTP server"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = listener.local_addr().unwrap().to_string();
        let served = thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = [0; 512];
            let length = connection.read(&mut request).unwrap();
            connection.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        let error = Sandbox::on_sqlite().fail(&["health", "--ready", "--listen", &listen], "");
        assert!(served.join().unwrap().starts_with("GET /readyz HTTP/1.1\r\n"));
        assert_eq!(error, format!("the server at {listen} {message}"));
    }
}

//! The key in a backup does not sign client ids that the recovered service accepts.

use reqwest::header::COOKIE;

use crate::assistant::{authorization, registration, text};
use crate::backend::{Backend, on_each_backend};
use crate::client::send;
use crate::sandbox::{Sandbox, Server};
use crate::session::session_cookie;

on_each_backend! { a_restore_ends_the_client_ids_that_the_key_of_the_backup_has_signed }

/// Opens the consent page of a client, and returns the status.
async fn authorize(server: &Server, client: &str) -> u16 {
    let cookie = session_cookie(server, "ana").await;
    send(authorization(server, client).header(COOKIE, cookie)).await.status
}

async fn a_restore_ends_the_client_ids_that_the_key_of_the_backup_has_signed(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let client = text(&send(registration(&server)).await.json(), "client_id");
    assert_eq!(authorize(&server, &client).await, 200);
    let restore = if backend == Backend::Sqlite {
        let backup = sandbox.run(&["backup", "backup.db"], "");
        assert!(backup.status.success(), "{backup:?}");
        vec!["restore", "backup.db", "--yes"]
    } else {
        vec!["restore", "--invalidate", "--yes"]
    };
    assert!(server.stop().success());
    let restored = sandbox.run(&restore, "");
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(authorize(&sandbox.serve(), &client).await, 400, "the key of the backup is still used");
}

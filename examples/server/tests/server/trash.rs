//! Deleted records keep their ids until they are purged.

use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, with_token};
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    an_import_refuses_the_ids_of_deleted_records,
}

async fn delete(server: &Server, token: &str, path: &str) {
    assert_eq!(with_token(server, token, "DELETE", path, None).await.status, 200);
}

async fn restore(server: &Server, token: &str, path: &str) -> Response {
    with_token(server, token, "POST", &format!("{path}/restore"), None).await
}

async fn an_import_refuses_the_ids_of_deleted_records(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let deleted = [
        ("/api/v1/tasks/dentist", family::task("dentist", "todo")),
        ("/api/v1/events/piano", family::event("piano", "rivera")),
        ("/api/v1/shopping-items/milk", family::item("milk", "groceries")),
        ("/api/v1/notes/wifi", family::note("wifi", "rivera")),
    ];
    for (path, _) in &deleted {
        delete(&server, &token, path).await;
    }
    for (path, record) in deleted {
        let error = sandbox.fail(&["import", "-"], &format!("{}\n{record}\n", family::note("new", "rivera")));
        assert!(error.starts_with("line 2: field `id`: "), "{record}\n{error}");
        assert_eq!(restore(&server, &token, path).await.status, 200, "{path}");
    }
    // The same ids are free in another family, and for other kinds of records.
    delete(&server, &token, "/api/v1/notes/wifi").await;
    let free = [family::note("wifi", "okafor"), family::event("wifi", "rivera"), family::note("new", "rivera")];
    sandbox.import_lines(free);
}

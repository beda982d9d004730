//! Restarts of the database.

use std::sync::Arc;
use std::time::Duration;

use family_api_testing::{Server as PostgresServer, Shutdown, postgres_tests};
use reqwest::header::{ACCEPT, COOKIE};
use tokio::join;
use tokio::task::spawn_blocking;

use crate::client::{call, in_session, request, send, sign_in, with_token};
use crate::family::PASSWORD;
use crate::load::{Callers, Counter, WriteNumbers, is_served};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};
use crate::times;

/// Maximum time from PostgreSQL's restart until all callers succeed again.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of all other steps.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Records of two families, each with a separate key.
async fn counters(server: &Server, ana: &str, chidi: &str) -> [Counter; 3] {
    let counter = async |cookie, path, resource, title| {
        let token = create_key(server, cookie).await.token;
        Counter { path, resource, title, token, numbers: WriteNumbers::default() }
    };
    [
        counter(ana, "/api/v1/notes/wifi", "/api/v1/read/notes", "/0/title").await,
        counter(ana, "/api/v1/tasks/dentist", "/api/v1/read/tasks", "/0/columns/0/tasks/0/title").await,
        counter(chidi, "/api/v1/notes/cabin", "/api/mcp/read/notes", "/0/title").await,
    ]
}

async fn list_keys(server: &Server, cookie: &str) -> bool {
    let answer = in_session(server, cookie, "GET", KEYS, None).await;
    assert!(!is_served(&answer) || answer.json()["tokens"].as_array().is_some_and(|keys| !keys.is_empty()));
    is_served(&answer)
}

/// Restarts the database, alternately with a fast and an immediate shutdown. All callers must succeed in between.
async fn restart<const N: usize>(postgres: &Arc<PostgresServer>, callers: &Callers<N>) {
    callers.wait_until_served(10, TIMEOUT).await;
    for round in 0..times("FAMILY_API_TEST_RESTARTS", 20) {
        let shutdown = if round % 2 == 0 { Shutdown::Fast } else { Shutdown::Immediate };
        let server = Arc::clone(postgres);
        spawn_blocking(move || server.restart(shutdown)).await.unwrap();
        callers.wait_until_served(1, RECOVERY_TIMEOUT).await;
        callers.wait_until_served(10, TIMEOUT).await;
    }
    callers.stop();
}

postgres_tests! {
    async fn database_restarts_cause_only_503_and_lose_no_write() {
        let postgres = Arc::new(PostgresServer::start());
        let sandbox = Sandbox::on_database(postgres.create_database().await).import_families();
        let server = &sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "error")]);
        let (ana, chidi) = (session_cookie(server, "ana").await, session_cookie(server, "chidi").await);
        let [wifi, dentist, cabin] = &counters(server, &ana, &chidi).await;
        let callers = Callers::<7>::new();
        join!(
            callers.repeat(0, async || wifi.write(server).await),
            callers.repeat(1, async || wifi.read(server).await),
            callers.repeat(2, async || dentist.write(server).await),
            callers.repeat(3, async || dentist.read(server).await),
            callers.repeat(4, async || cabin.write(server).await),
            callers.repeat(5, async || cabin.read(server).await),
            callers.repeat(6, async || list_keys(server, &ana).await),
            restart(&postgres, &callers),
        );
        assert!(callers.unavailable() > 0, "no request failed during the restarts");
        assert!(wifi.read(server).await && dentist.read(server).await && cabin.read(server).await);
    }

    async fn readiness_follows_the_database_and_liveness_does_not() {
        let postgres = PostgresServer::start();
        let sandbox = Sandbox::on_database(postgres.create_database().await).import_families();
        let server = sandbox.serve();
        let cookie = session_cookie(&server, "ana").await;
        let token = create_key(&server, &cookie).await.token;
        for shutdown in [Shutdown::Fast, Shutdown::Immediate] {
            assert_eq!(call(&server, "GET", "/readyz").await.status, 200);
            postgres.stop(shutdown);
            assert!(!is_served(&call(&server, "GET", "/readyz").await));
            assert!(!is_served(&sign_in(&server, "ana@family.example", PASSWORD).await));
            assert!(!is_served(&with_token(&server, &token, "GET", "/api/v1/read/tasks", None).await));
            assert!(!is_served(&in_session(&server, &cookie, "GET", "/api/users/me", None).await));
            assert_eq!(call(&server, "GET", "/healthz").await.status, 200);
            postgres.start_again();
        }
        assert_eq!(call(&server, "GET", "/readyz").await.status, 200);
        assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
    }

    async fn a_browser_gets_a_page_if_the_storage_fails() {
        let postgres = PostgresServer::start();
        let sandbox = Sandbox::on_database(postgres.create_database().await).import_families();
        let server = sandbox.serve();
        let cookie = session_cookie(&server, "ana").await;
        postgres.stop(Shutdown::Fast);
        for path in ["/", "/keys", "/logout"] {
            let get = || request(&server, "GET", path).header(COOKIE, &cookie);
            for (language, title) in [
                ("en", "The service is not available now"),
                ("uk", "Сервіс зараз недоступний"),
                ("es", "El servicio no está disponible ahora"),
                ("de", "Der Dienst ist gerade nicht verfügbar"),
            ] {
                let page = send(get().header(ACCEPT, "text/html,*/*;q=0.8").header("accept-language", language)).await;
                assert_eq!((page.status, page.header("retry-after")), (503, Some("1")), "{path} {page:?}");
                assert_eq!(page.header("content-language"), Some(language), "{path} {page:?}");
                assert!(page.text.contains(title), "{path} {page:?}");
            }
        }
        for path in ["/", "/logout", "/api/users/me"] {
            let problem = send(request(&server, "GET", path).header(COOKIE, &cookie).header(ACCEPT, "*/*")).await;
            assert_eq!(problem.problem(), (503, "unavailable".to_owned()), "{path}");
        }
        // A visitor without a session needs no storage.
        assert_eq!(send(request(&server, "GET", "/").header(ACCEPT, "text/html")).await.status, 200);
    }
}

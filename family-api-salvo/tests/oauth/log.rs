//! No secret of a connection is logged, at any level.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

use salvo::http::Method;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::harness::{COOKIE, OAuthApp, Parameters, STATE, V1, VERIFIER, request, tokens};
use crate::storages::on_every_storage;

/// The log of this process at all levels, from the first access to this static.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false);
    // Also logs the fields of spans in which nothing is logged.
    let subscriber = subscriber.with_span_events(FmtSpan::NEW);
    tracing::subscriber::set_global_default(subscriber.with_max_level(tracing::Level::TRACE).finish()).unwrap();
    log
});

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

on_every_storage! {
    async fn secrets_of_a_connection_are_never_logged(app: OAuthApp) {
        LazyLock::force(&LOG);
        let client = app.client().await;
        let parameters = Parameters::of(&client);
        app.send(request(Method::GET, &parameters.path())).await;
        let sealed = app.open_consent("ann", &parameters).await;
        let code = app.code("ann", &parameters).await;
        let first = tokens(&app.redeem(&client, &code).await);
        let second = tokens(&app.refresh(&client, &first.refresh).await);
        app.call(V1, &second.access).await;
        app.refresh(&client, &first.refresh).await;
        app.redeem(&client, &code).await;
        let log = LOG.text();
        assert!(log.contains("approve_grant"), "the subscriber is active");
        let secrets = [&sealed, &code, &first.access, &first.refresh, &second.access, &second.refresh];
        for secret in secrets.into_iter().map(String::as_str).chain([VERIFIER, STATE, COOKIE]) {
            assert!(!log.contains(secret), "{secret}");
        }
    }
}

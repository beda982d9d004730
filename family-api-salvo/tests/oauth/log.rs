//! No secret of a connection is logged, at any level.

use std::sync::LazyLock;

use salvo::http::Method;

use crate::harness::{COOKIE, OAuthApp, Parameters, STATE, V1, VERIFIER, request, tokens};
use crate::storages::on_every_storage;
use crate::support::LOG;

on_every_storage! {
    async fn secrets_of_a_connection_are_never_logged(app: OAuthApp) {
        LazyLock::force(&LOG);
        let client = app.client().await;
        let parameters = Parameters::of(&client);
        app.send(request(Method::GET, &parameters.path())).await;
        let signed = app.open_consent("ann", &parameters).await;
        let code = app.code("ann", &parameters).await;
        let first = tokens(&app.redeem(&client, &code).await);
        let second = tokens(&app.refresh(&client, &first.refresh).await);
        app.call(V1, &second.access).await;
        app.refresh(&client, &first.refresh).await;
        app.redeem(&client, &code).await;
        let log = LOG.text();
        assert!(log.contains("approve_grant"), "the subscriber is active");
        let secrets = [&signed, &code, &first.access, &first.refresh, &second.access, &second.refresh];
        for secret in secrets.into_iter().map(String::as_str).chain([VERIFIER, STATE, COOKIE]) {
            assert!(!log.contains(secret), "{secret}");
        }
    }
}

//! Session writes from pages of other sites (HTTP reference, "Calls from other sites").

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::on_every_storage;
use crate::support::{App, bearer, session};

fn session_write() -> RequestBuilder {
    session("ann", Method::PATCH, "/api/users/me").raw_json("{}").add_header("host", "family.example", true)
}

async fn status(app: &App, headers: &[(&'static str, &str)]) -> u16 {
    let request =
        headers.iter().fold(session_write(), |request, (name, value)| request.add_header(*name, *value, false));
    let response = app.send(request).await;
    if response.status != 200 {
        response.assert_problem(403, "cross_site_request");
    }
    response.status
}

on_every_storage! {
    async fn sec_fetch_site_overrides_origin(app: App) {
        for (site, expected) in [
            ("same-origin", 200),
            ("none", 200),
            ("same-site", 403),
            ("cross-site", 403),
            ("Same-Origin", 403),
            ("", 403),
            ("same-origin, none", 403),
        ] {
            assert_eq!(status(&app, &[("sec-fetch-site", site)]).await, expected, "{site:?}");
        }
        assert_eq!(status(&app, &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "same-origin")]).await, 403);
        assert_eq!(status(&app, &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")]).await, 200);
        assert_eq!(status(&app, &[("sec-fetch-site", "cross-site"), ("origin", "http://family.example")]).await, 403);
    }

    async fn without_sec_fetch_site_origin_must_match_the_host(app: App) {
        assert_eq!(status(&app, &[]).await, 200);
        for (origin, expected) in [
            ("http://family.example", 200),
            ("http://FAMILY.example:80", 200),
            ("https://family.example", 403),
            ("http://family.example:8080", 403),
            ("http://evil.example", 403),
            ("http://family.example.evil.example", 403),
            ("null", 403),
            ("", 403),
            ("http://family.example, http://family.example", 403),
        ] {
            assert_eq!(status(&app, &[("origin", origin)]).await, expected, "{origin:?}");
        }
        let own = ("origin", "http://family.example");
        assert_eq!(status(&app, &[own, own]).await, 403);
        assert_eq!(status(&app, &[own, ("host", "family.example")]).await, 403, "two hosts");
    }

    async fn headers_of_proxies_are_ignored(app: App) {
        for header in [("x-forwarded-proto", "https"), ("forwarded", "for=192.0.2.1;proto=https")] {
            for (origin, expected) in [("https://family.example", 403), ("http://family.example", 200)] {
                assert_eq!(status(&app, &[header, ("origin", origin)]).await, expected, "{header:?} {origin}");
            }
        }
    }

    async fn configured_public_address_overrides_the_host_header(app: App) {
        let app = app.configured(|routes| routes.public_address("https://home.example".parse().unwrap()));
        for (origin, expected) in
            [("https://home.example", 200), ("http://home.example", 403), ("http://family.example", 403)]
        {
            assert_eq!(status(&app, &[("origin", origin)]).await, expected, "{origin}");
        }
    }

    async fn cross_site_reads_and_bearer_writes_are_accepted(app: App) {
        for method in [Method::GET, Method::HEAD] {
            let request = session("ann", method, "/api/users/me").add_header("sec-fetch-site", "cross-site", true);
            assert_eq!(app.send(request).await.status, 200);
        }
        let request = bearer("ann-rw", Method::PATCH, "/api/v1/notes/note-berg").raw_json("{}");
        app.send(request.add_header("sec-fetch-site", "cross-site", true)).await.assert_ok();
    }
}

//! Compressed responses (RFC 9110, section 8.4).

use std::io::Read;

use family_api_salvo::FamilyRoutes;
use flate2::read::GzDecoder;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::on_every_storage;
use crate::support::{App, TestResponse, bearer};

const RESOURCES: [&str; 6] = ["tasks", "tasks?completed=all", "events", "shopping", "notes", "task_stats"];

fn read(method: Method, resource: &str, accepts: &str) -> RequestBuilder {
    let request = bearer("ann-read", method, &format!("/api/v1/read/{resource}"));
    request.add_header("accept-encoding", accepts, true)
}

fn decompress(response: &TestResponse) -> Vec<u8> {
    let mut json = Vec::new();
    match response.header("content-encoding") {
        Some("gzip") => GzDecoder::new(&*response.body).read_to_end(&mut json).map(|_| json).unwrap(),
        Some("zstd") => zstd::decode_all(&*response.body).unwrap(),
        None => response.body.to_vec(),
        Some(other) => panic!("{other}"),
    }
}

on_every_storage! {
    async fn resource_uses_the_preferred_content_coding(app: App) {
        for resource in RESOURCES {
            let plain = app.send_with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await;
            for (accepts, coding) in [
                ("zstd", Some("zstd")),
                ("gzip", Some("gzip")),
                ("gzip, deflate, br, zstd", Some("zstd")),
                ("gzip;q=1, zstd;q=0.5", Some("gzip")),
                ("br", None),
                ("identity", None),
                ("zstd;q=0", None),
            ] {
                for _ in 0..2 {
                    let response = app.send(read(Method::GET, resource, accepts)).await;
                    assert_eq!((response.status, response.header("content-encoding")), (200, coding), "{accepts}");
                    assert_eq!(response.header("content-type"), Some("application/json"));
                    assert_eq!(response.vary_headers(), ["Authorization", "Accept-Encoding"]);
                    assert_eq!(decompress(&response), plain.body, "{resource} {accepts}");
                }
            }
        }
    }

    async fn each_coding_has_its_own_etag(app: App) {
        let codings = ["identity", "gzip", "zstd"];
        let mut tags = Vec::new();
        for accepts in codings {
            let response = app.send(read(Method::GET, "tasks", accepts)).await;
            tags.push(response.header("etag").unwrap().to_owned());
        }
        for (of, tag) in tags.iter().enumerate() {
            for (accepted, accepts) in codings.into_iter().enumerate() {
                let request = read(Method::GET, "tasks", accepts).add_header("if-none-match", tag, true);
                let response = app.send(request).await;
                assert_eq!(response.status, if of == accepted { 304 } else { 200 }, "{accepts}");
                assert_eq!(response.header("etag"), Some(tags[accepted].as_str()));
                assert_eq!(response.vary_headers(), ["Authorization", "Accept-Encoding"]);
                assert!(response.status == 200 || response.header("content-encoding").is_none());
            }
        }
    }

    async fn head_response_matches_get(app: App) {
        let get = app.send(read(Method::GET, "notes", "zstd")).await;
        let head = app.send(read(Method::HEAD, "notes", "zstd")).await;
        assert!(head.body.is_empty());
        for name in ["content-encoding", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
        }
        assert_eq!(head.vary_headers(), get.vary_headers());
    }

    async fn other_responses_are_not_compressed(app: App) {
        for (key, path) in
            [("ann-read", "/api/v1/me"), ("nobody", "/api/v1/read/notes"), ("ann-read", "/api/v1/read/x")]
        {
            let response = app.send(bearer(key, Method::GET, path).add_header("accept-encoding", "zstd", true)).await;
            assert_eq!(response.header("content-encoding"), None, "{path}");
            let _: serde_json::Value = response.json();
        }
    }

    async fn host_can_disable_compression(app: App) {
        let plain = app.configured(FamilyRoutes::without_compression);
        let response = plain.send(read(Method::GET, "notes", "zstd, gzip")).await;
        assert_eq!((response.header("content-encoding"), response.vary_headers()), (None, vec!["Authorization"]));
        assert_eq!(response.body, app.send_with_token("ann-read", Method::GET, "/api/v1/read/notes").await.body);
    }
}

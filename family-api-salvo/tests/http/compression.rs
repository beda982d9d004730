//! Compressed responses (RFC 9110, section 8.4).

use std::io::Read;

use family_api_salvo::FamilyRoutes;
use flate2::read::GzDecoder;
use salvo::Router;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::on_every_storage;
use crate::support::{Answer, App, bearer};

const RESOURCES: [&str; 6] = ["tasks", "tasks?completed=all", "events", "shopping", "notes", "task_stats"];

fn read(method: Method, resource: &str, accepts: &str) -> RequestBuilder {
    let request = bearer("ann-read", method, &format!("/api/v1/read/{resource}"));
    request.add_header("accept-encoding", accepts, true)
}

fn decoded(answer: &Answer) -> Vec<u8> {
    let mut json = Vec::new();
    match answer.header("content-encoding") {
        Some("gzip") => GzDecoder::new(&*answer.body).read_to_end(&mut json).map(|_| json).unwrap(),
        Some("zstd") => zstd::decode_all(&*answer.body).unwrap(),
        None => answer.body.to_vec(),
        Some(other) => panic!("{other}"),
    }
}

on_every_storage! {
    async fn resource_uses_the_preferred_content_coding(app: App) {
        for resource in RESOURCES {
            let plain = app.with_token("ann-read", Method::GET, &format!("/api/v1/read/{resource}")).await;
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
                    let answer = app.send(read(Method::GET, resource, accepts)).await;
                    assert_eq!((answer.status, answer.header("content-encoding")), (200, coding), "{accepts}");
                    assert_eq!(answer.header("content-type"), Some("application/json"));
                    assert_eq!(answer.varies(), ["Authorization", "Accept-Encoding"]);
                    assert_eq!(decoded(&answer), plain.body, "{resource} {accepts}");
                }
            }
        }
    }

    async fn each_coding_has_its_own_etag(app: App) {
        let codings = ["identity", "gzip", "zstd"];
        let mut tags = Vec::new();
        for accepts in codings {
            let answer = app.send(read(Method::GET, "tasks", accepts)).await;
            tags.push(answer.header("etag").unwrap().to_owned());
        }
        for (of, tag) in tags.iter().enumerate() {
            for (accepted, accepts) in codings.into_iter().enumerate() {
                let request = read(Method::GET, "tasks", accepts).add_header("if-none-match", tag, true);
                let answer = app.send(request).await;
                assert_eq!(answer.status, if of == accepted { 304 } else { 200 }, "{accepts}");
                assert_eq!(answer.header("etag"), Some(tags[accepted].as_str()));
                assert_eq!(answer.varies(), ["Authorization", "Accept-Encoding"]);
                assert!(answer.status == 200 || answer.header("content-encoding").is_none());
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
        assert_eq!(head.varies(), get.varies());
    }

    async fn other_responses_are_not_compressed(app: App) {
        for (key, path) in [("ann-read", "/api/v1/me"), ("nobody", "/api/v1/read/notes"), ("ann-read", "/api/v1/read/x")] {
            let answer = app.send(bearer(key, Method::GET, path).add_header("accept-encoding", "zstd", true)).await;
            assert_eq!(answer.header("content-encoding"), None, "{path}");
            let _: serde_json::Value = answer.json();
        }
    }

    async fn host_can_disable_compression(app: App) {
        let routes = |api| Router::new().push(FamilyRoutes::new(api).without_compression().into_router());
        let answer = app.mounted(routes).send(read(Method::GET, "notes", "zstd, gzip")).await;
        assert_eq!((answer.header("content-encoding"), answer.varies()), (None, vec!["Authorization"]));
        assert_eq!(answer.body, app.with_token("ann-read", Method::GET, "/api/v1/read/notes").await.body);
    }
}

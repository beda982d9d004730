//! The page for home automation: each block that sends a request is sent to a running server.

mod page;

use serde_json::{Value, json};

use self::page::Page;
use crate::client::{Response, in_session, request, send, sign_in, with_body, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

const MILK: &str = "Oat milk";

/// A server whose user has followed the links of the page, and has filled in the page.
struct Reader {
    _sandbox: Sandbox,
    server: Server,
    page: Page,
    key: String,
}

impl Reader {
    async fn new() -> Self {
        let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
        let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
        let create = async |path: &str, body: Value| {
            let created = in_session(&server, &cookie, "POST", path, Some(body)).await;
            assert_eq!(created.status, 201, "{created:?}");
            created.json()
        };
        // The pages take the values of a link over into their forms, which create with these requests.
        let mut keys = Vec::new();
        let mut feeds = Vec::new();
        for (path, query) in Page::links() {
            let page = in_session(&server, &cookie, "GET", path, None).await;
            assert_eq!(page.status, 200, "{path}");
            if let Some(name) = query.get("feed") {
                let body = json!({ "name": name, "shows": query["shows"], "detail": query["detail"] });
                feeds.push(create("/api/users/me/calendar-feeds", body).await);
            } else {
                let body = json!({ "name": query["name"], "mode": query["mode"] });
                keys.push(create("/api/users/me/mcp-tokens", body).await);
            }
        }
        assert_eq!((keys.len(), feeds.len()), (2, 2));
        let key = keys.iter().find(|key| key["mode"] == "v1_full").unwrap()["token"].as_str().unwrap().to_owned();
        let page = Page::filled(&server.url, &key, feeds[0]["path"].as_str().unwrap());
        let reader = Self { _sandbox: sandbox, server, page, key };
        // Has an occurrence on each day on which the test runs.
        let event = json!({
            "title": "Piano", "startDate": "2026-11-20T10:00:00Z", "endDate": "2026-11-20T11:00:00Z",
            "recurrence": "FREQ=DAILY",
        });
        assert_eq!(reader.call("POST", "/api/v1/events", Some(event)).await.status, 201);
        reader
    }

    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        with_token(&self.server, &self.key, method, path, body).await
    }

    /// Returns the path of a URL of this server.
    fn path<'a>(&self, url: &'a Value) -> &'a str {
        url.as_str().unwrap().strip_prefix(&self.server.url).unwrap()
    }

    /// Sends a request with the headers of a block.
    async fn send(&self, method: &str, url: &Value, headers: &[(&str, &str)], body: Option<Value>) -> Response {
        let mut request = request(&self.server, method, self.path(url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        send(with_body(request, body)).await
    }

    /// Returns the names of the items on the list of the page.
    async fn shopping(&self) -> Vec<String> {
        let items = self.call("GET", "/api/v1/shopping-items?list=groceries", None).await.json();
        let items = items["records"].as_array().unwrap().iter();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn the_action_of_home_assistant_adds_milk_once_a_day() {
    let reader = Reader::new().await;
    let configuration = reader.page.yaml("rest_command:");
    let command = &configuration["rest_command"]["family_add_item"];
    let headers = &command["headers"];
    // What Home Assistant makes of the templates on one day.
    assert_eq!(headers["Idempotency-Key"], "{{ now().date() }}-{{ name | base64_encode }}");
    assert_eq!((&command["payload"], &command["method"]), (&json!("{{ {'name': name} | to_json }}"), &json!("post")));
    assert_eq!(command["content_type"], "application/json");
    let authorization = headers["Authorization"].as_str().unwrap();
    let mut ids = Vec::new();
    for (key, body) in [("T2F0IG1pbGs=", MILK), ("T2F0IG1pbGs=", MILK), ("0JrQtdGE0ZbRgA==", "Кефір")] {
        let key = format!("2026-11-28-{key}");
        let headers = [("authorization", authorization), ("idempotency-key", key.as_str())];
        let added = reader.send("POST", &command["url"], &headers, Some(json!({ "name": body }))).await;
        assert_eq!(added.status, 201, "{added:?}");
        ids.push(added.json()["id"].clone());
    }
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
    assert_eq!(reader.shopping().await.iter().filter(|name| *name == MILK).count(), 1);
}

#[tokio::test]
async fn the_blocks_of_home_assistant_name_each_other() {
    let reader = Reader::new().await;
    let automation = reader.page.yaml("- alias:");
    assert_eq!(automation[0]["actions"][0]["target"]["entity_id"], "calendar.family");
    let action = &reader.page.yaml("type: button")["tap_action"];
    let (domain, command) = action["perform_action"].as_str().unwrap().split_once('.').unwrap();
    assert!(reader.page.yaml("rest_command:")[domain][command].is_object(), "{action}");
    assert!(action["data"]["name"].is_string());
}

#[tokio::test]
async fn the_node_of_n8n_adds_an_item_once() {
    let reader = Reader::new().await;
    let nodes: Value = serde_json::from_str(reader.page.block("json", "{")).unwrap();
    let parameters = &nodes["nodes"][0]["parameters"];
    assert_eq!(parameters["genericAuthType"], "httpBearerAuth");
    assert_eq!(parameters["jsonBody"], "={{ JSON.stringify({ name: $json.name }) }}");
    let header = &parameters["headerParameters"]["parameters"][0];
    assert_eq!(header["value"], "={{ $execution.id }}-{{ $itemIndex }}");
    let authorization = format!("Bearer {}", reader.key);
    let headers = [("authorization", authorization.as_str()), (header["name"].as_str().unwrap(), "231-0")];
    for _ in 0..2 {
        let method = parameters["method"].as_str().unwrap();
        let added = reader.send(method, &parameters["url"], &headers, Some(json!({ "name": MILK }))).await;
        assert_eq!(added.status, 201, "{added:?}");
    }
    assert_eq!(reader.shopping().await.iter().filter(|name| *name == MILK).count(), 1);
}

#[tokio::test]
async fn magic_mirror_reads_the_calendar() {
    let reader = Reader::new().await;
    let module = reader.page.block("js", "{");
    let url = module.split('"').find(|text| text.starts_with("http")).unwrap();
    let calendar = reader.send("GET", &url.into(), &[], None).await;
    assert_eq!((calendar.status, calendar.header("content-type")), (200, Some("text/calendar; charset=utf-8")));
    assert!(calendar.text.contains("SUMMARY:Piano\r\n"), "{}", calendar.text);
}

#[tokio::test]
async fn a_shortcut_adds_an_item() {
    let reader = Reader::new().await;
    let table = reader.page.table("| field | value |");
    let value = |field: &str| table.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str()).unwrap();
    assert_eq!((value("Request Body"), value("Text name")), ("JSON", "the variable Ask Each Time"));
    let headers = [("authorization", value("Header Authorization"))];
    let body = json!({ "name": MILK });
    let added = reader.send(value("Method"), &value("URL").into(), &headers, Some(body)).await;
    assert_eq!(added.status, 201, "{added:?}");
    assert!(reader.shopping().await.contains(&MILK.to_owned()));
}

#[test]
fn every_block_of_the_page_is_tested() {
    let page = Page::filled("", "", "");
    let starts = ["family_authorization:", "- alias:", "rest_command:", "type: button"];
    let yaml = starts.map(|start| ("yaml", start));
    let others = [("json", "{"), ("js", "{")];
    for (language, start) in yaml.iter().chain(&others) {
        assert!(!page.block(language, start).is_empty());
    }
    assert_eq!(page.blocks().count(), yaml.len() + others.len());
}

//! The page for home automation: each block that sends a request is sent to a running server.

mod page;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::page::{Page, names};
use crate::client::{Response, in_session, request, send, sign_in, with_body, with_token};
use crate::curl::Curl;
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

    async fn overview(&self) -> Value {
        let overview = self.call("GET", "/api/v1/read/overview?days=1", None).await;
        assert_eq!(overview.status, 200, "{overview:?}");
        overview.json()
    }

    /// Returns the names of the items on the list of the page.
    async fn shopping(&self) -> Vec<String> {
        let items = self.call("GET", "/api/v1/shopping-items?list=groceries", None).await.json();
        let items = items["records"].as_array().unwrap().iter();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// Asserts that each name in an expression is the name of a field in the overview.
#[track_caller]
fn assert_names(expression: &str, overview: &Value) {
    fn collect<'a>(value: &'a Value, names: &mut BTreeSet<&'a str>) {
        if let Some(object) = value.as_object() {
            names.extend(object.keys().map(String::as_str));
            object.values().for_each(|value| collect(value, names));
        }
        value.as_array().into_iter().flatten().for_each(|value| collect(value, names));
    }
    let mut known = BTreeSet::new();
    collect(overview, &mut known);
    let names = names(expression);
    assert!(!names.is_empty() && names.iter().all(|name| known.contains(name)), "{expression}: {names:?}");
}

#[tokio::test]
async fn the_sensors_of_home_assistant_read_the_overview() {
    let reader = Reader::new().await;
    let configuration = reader.page.yaml("rest:");
    let [rest] = configuration["rest"].as_array().unwrap().as_slice() else { panic!("{configuration}") };
    let url = format!("{}?days={}", rest["resource"].as_str().unwrap(), rest["params"]["days"].as_str().unwrap());
    let authorization = rest["headers"]["Authorization"].as_str().unwrap();
    let answer = reader.send("GET", &url.into(), &[("authorization", authorization)], None).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let overview = answer.json();
    let sensors = rest["sensor"].as_array().unwrap();
    assert_eq!(sensors.len(), 4);
    for sensor in sensors {
        let template = sensor["value_template"].as_str().unwrap();
        let (_, expression) = template.split_once("value_json").unwrap();
        assert_names(expression.split(" | ").next().unwrap(), &overview);
        if let Some(path) = sensor["json_attributes_path"].as_str() {
            let part = &overview[path.strip_prefix("$.").unwrap()];
            assert_eq!(sensor["json_attributes"], json!(["items"]));
            assert!(!part["items"].as_array().unwrap().is_empty(), "{path}: {overview}");
        }
    }
    let next = "{{ value_json.events['items'] | selectattr('endDate', 'gt', utcnow().isoformat()) \
        | map(attribute='title') | first | default('none') }}";
    let shopping = "{{ value_json.shoppingLists['items'] | sum(attribute='openCount') }}";
    let templates: Vec<&str> = sensors.iter().map(|sensor| sensor["value_template"].as_str().unwrap()).collect();
    assert!(templates.contains(&next) && templates.contains(&shopping), "{templates:?}");
    // Compared as texts, so an instant without a shift from UTC is the same text as far as the seconds.
    let event = &overview["events"]["items"][0];
    assert!(event["endDate"].as_str().unwrap().ends_with('Z'), "{event}");
    assert_eq!(event["title"], "Piano");
    assert_eq!(overview["shoppingLists"]["items"][0]["openCount"], 1);
}

/// The MD5 hashes of [`MILK`], of "Кефір", and of the longest name: 500 times "é".
const HASHES: [&str; 3] =
    ["d223cbd7c925db83eb6f8861b7a4072c", "637ff7f81f76a6947cfd16b577205714", "8041d3fab1c10e596d759a3c90174ba0"];

#[tokio::test]
async fn the_action_of_home_assistant_adds_milk_once_a_minute() {
    let reader = Reader::new().await;
    let configuration = reader.page.yaml("rest_command:");
    let command = &configuration["rest_command"]["family_add_item"];
    let headers = &command["headers"];
    assert_eq!(headers["Idempotency-Key"], "{{ utcnow().strftime('%Y-%m-%dT%H:%M') }}-{{ name | md5 }}");
    assert_eq!((&command["payload"], &command["method"]), (&json!("{{ {'name': name} | to_json }}"), &json!("post")));
    assert_eq!(command["content_type"], "application/json");
    let authorization = headers["Authorization"].as_str().unwrap();
    // What Home Assistant makes of the templates in a minute.
    let add = async |minute: &str, hash: &str, name: &str| {
        let key = format!("2026-11-28T{minute}-{hash}");
        let headers = [("authorization", authorization), ("idempotency-key", key.as_str())];
        let added = reader.send("POST", &command["url"], &headers, Some(json!({ "name": name }))).await;
        assert_eq!(added.status, 201, "{added:?}");
        added.json()
    };
    let [milk, kefir, long] = HASHES;
    let first = add("09:30", milk, MILK).await;
    assert_eq!(add("09:30", milk, MILK).await["id"], first["id"]);
    assert_ne!(add("09:30", kefir, "Кефір").await["id"], first["id"]);
    add("09:30", long, &"é".repeat(500)).await;
    assert_eq!(reader.shopping().await.iter().filter(|name| *name == MILK).count(), 1);
    // Milk that was bought, and then deleted, is added again later.
    let path = |item: &Value| format!("/api/v1/shopping-items/{}", item["id"].as_str().unwrap());
    let bought = reader.call("PATCH", &path(&first), Some(json!({ "checked": true }))).await;
    assert_eq!(bought.status, 200, "{bought:?}");
    let second = add("09:31", milk, MILK).await;
    assert!(second["id"] != first["id"] && second["checked"] == false, "{second}");
    let deleted = reader.call("DELETE", &path(&second), None).await;
    assert!((200..300).contains(&deleted.status), "{deleted:?}");
    let third = add("09:32", milk, MILK).await;
    assert!(third["id"] != second["id"] && third["checked"] == false, "{third}");
}

#[tokio::test]
async fn the_blocks_of_home_assistant_name_each_other() {
    let reader = Reader::new().await;
    let automation = reader.page.yaml("- alias:");
    assert_eq!(automation[0]["actions"][0]["target"]["entity_id"], "calendar.family");
    let cards = reader.page.yaml("type: vertical-stack");
    let action = &cards["cards"][1]["tap_action"];
    let (domain, command) = action["perform_action"].as_str().unwrap().split_once('.').unwrap();
    assert!(reader.page.yaml("rest_command:")[domain][command].is_object(), "{action}");
    assert!(action["data"]["name"].is_string());
    let content = cards["cards"][0]["content"].as_str().unwrap();
    let entity = content.split('\'').nth(1).unwrap().strip_prefix("sensor.").unwrap();
    let sensors = reader.page.yaml("rest:")["rest"][0]["sensor"].clone();
    let is_named = |sensor: &Value| sensor["name"].as_str().unwrap().to_lowercase().replace(' ', "_") == entity;
    assert!(sensors.as_array().unwrap().iter().any(is_named), "{entity}");
    let (_, event) = content.split_once("{{ event").unwrap();
    assert_names(event, &reader.overview().await["events"]);
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
async fn a_panel_reads_the_overview_with_curl_and_jq() {
    let reader = Reader::new().await;
    let mut lines = reader.page.block("console", "$ curl").trim().lines().map(|line| line.strip_prefix("$ ").unwrap());
    let (curl, file) = lines.next().unwrap().split_once(" > ").unwrap();
    let answer = Curl::default().run(&reader.server, curl).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let overview = answer.json();
    let mut filters = 0;
    for line in lines {
        let filter = line.strip_prefix("jq -r '").and_then(|line| line.strip_suffix(&format!("' {file}"))).unwrap();
        assert_names(filter, &overview);
        filters += 1;
    }
    assert_eq!(filters, 3);
}

#[tokio::test]
async fn a_microcontroller_reads_the_overview_into_its_buffer() {
    let reader = Reader::new().await;
    let configuration = reader.page.yaml("http_request:");
    let get = &configuration["interval"][0]["then"][0]["http_request.get"];
    let authorization = get["request_headers"]["Authorization"].as_str().unwrap();
    let answer = reader.send("GET", &get["url"], &[("authorization", authorization)], None).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    // The maximum size of an overview.
    assert!(get["max_response_buffer_size"].as_u64().unwrap() > 16 * 1024);
    let code = get["on_response"]["then"][0]["lambda"].as_str().unwrap();
    let fields: Vec<&str> = code.lines().filter_map(|line| line.split_once("root").map(|(_, rest)| rest)).collect();
    assert_eq!(fields.len(), 3, "{code}");
    for field in &fields[1..] {
        assert_names(field.split([')', '|']).next().unwrap().trim_end_matches(".as<int>("), &answer.json());
    }
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
    let starts =
        ["family_authorization:", "- alias:", "rest:", "rest_command:", "type: vertical-stack", "http_request:"];
    let yaml = starts.map(|start| ("yaml", start));
    let others = [("json", "{"), ("js", "{"), ("console", "$ curl")];
    for (language, start) in yaml.iter().chain(&others) {
        assert!(!page.block(language, start).is_empty());
    }
    assert_eq!(page.blocks().count(), yaml.len() + others.len());
}

//! Invalid bodies and paths get the documented error and change nothing.

use salvo::http::Method;

use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, bearer, session};

const TASK: &str = "/api/v1/tasks/task-berg";
const NOTE: &str = "/api/v1/notes/note-berg";
const KEYS: &str = "/api/users/me/mcp-tokens";

/// Returns bodies that are not one JSON value (HTTP reference, "JSON").
fn invalid_json_bodies() -> Vec<Vec<u8>> {
    let nested = |depth: usize| format!(r#"{{"title":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    let texts = [
        "",
        " ",
        "{",
        "}",
        "[1,]",
        "{'title':'x'}",
        "{title:1}",
        "nul",
        "NaN",
        "Infinity",
        "01",
        "+1",
        "1.",
        r#"{"title":"x"} {}"#,
        r#"{"title":"x","title":"y"}"#,
        r#"{"title":"x","\u0074itle":"y"}"#,
        r#"{"labels":[{"a":1,"a":2}]}"#,
        r#"{"title":"\ud800"}"#,
        r#"{"title":"\udc00\ud800"}"#,
        r#"{"title":"\ud800x"}"#,
        r#"{"title":"\x"}"#,
        "{\"title\":\"a\nb\"}",
        r#"{"order":1e999}"#,
        r#"{"order":-1e999}"#,
        "\u{feff}{}",
        "// no\n{}",
    ];
    let mut bodies: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    bodies.push(nested(32).into_bytes());
    bodies.push(nested(100_000).into_bytes());
    bodies.push(b"{\"title\":\"\xff\"}".to_vec());
    bodies.push(b"{\"title\":\"\xed\xa0\x80\"}".to_vec());
    bodies.push("{}".encode_utf16().flat_map(u16::to_le_bytes).collect());
    bodies
}

/// Returns invalid values of a field, each with the JSON Pointer of its error.
fn invalid_values(field: &str) -> Vec<(String, String)> {
    let word = "x".repeat(51);
    let many = vec![r#""x""#; 51].join(",");
    let long = |characters: usize| format!(r#""{}""#, "é".repeat(characters));
    let long_ascii = |characters: usize| format!(r#""{}""#, "x".repeat(characters));
    let all: &[String] = &match field {
        "title" => {
            vec!["null".into(), "7".into(), "[]".into(), "{}".into(), "true".into(), long(501), r#""a\u0000""#.into()]
        }
        "description" => vec!["7".into(), "[]".into(), "{}".into(), "true".into(), long(20_001), r#""\u0000""#.into()],
        "content" => vec!["null".into(), "7".into(), long_ascii(200_001), r#""\u0000""#.into()],
        "priority" => vec!["null".into(), "7".into(), r#""low""#.into(), r#""""#.into(), r#""URGENT ""#.into()],
        "completed" | "isPrivate" | "pinned" | "personalApiEnabled" => {
            vec!["null".into(), "0".into(), "1".into(), r#""true""#.into(), "[]".into()]
        }
        "order" => ["null", "-1", "1000001", "1.0", "1e2", "-0.5", "9223372036854775808", "1e300", r#""1""#, "true"]
            .map(String::from)
            .to_vec(),
        "columnId" => vec!["null".into(), "7".into(), "[]".into(), "true".into()],
        "assigneeId" | "categoryId" => vec!["7".into(), "[]".into(), "false".into()],
        "dueDate" => [
            "7",
            r#""2026-02-30""#,
            r#""2026-11-20T10:15:30""#,
            r#""2026-11-20 10:15:30Z""#,
            r#""tomorrow""#,
            r#"" ""#,
            r#""2026-12-31T23:59:60Z""#,
            r#""0000-01-01T00:00:00Z""#,
            r#""10000-01-01""#,
            r#""2026-11-20T24:00:00Z""#,
        ]
        .map(String::from)
        .to_vec(),
        "emoji" => vec!["null".into(), "7".into(), r#""""#.into(), long(33), r#""\u0000""#.into()],
        "color" => {
            ["null", "7", r#""red""#, r##""#12345""##, r##""#1234567""##, r##""#12345g""##].map(String::from).to_vec()
        }
        "name" => {
            vec!["7".into(), r#""""#.into(), r#"" \t""#.into(), long(101), r#""a\u0007""#.into(), r#""a\u0000""#.into()]
        }
        "expiresAt" => {
            ["7", r#""""#, r#""2026-11-21""#, r#""2026-11-20T10:15:30.123Z""#, r#""2036-11-20T10:15:30.124Z""#]
                .map(String::from)
                .to_vec()
        }
        "mode" => {
            ["null", "7", r#""""#, r#""v1""#, r#""READ_PATH_READ""#, r#"["mcp_read"]"#].map(String::from).to_vec()
        }
        "labels" | "tags" => {
            let lists = ["null", "7", r#""a""#, "{}"].map(|value| (value.to_owned(), format!("/{field}")));
            let elements = ["null", "7", r#""""#, &format!(r#""{word}""#), r#""\u0000""#, "[]"]
                .map(|value| (format!(r#"["fine",{value}]"#), format!("/{field}/1")));
            return lists.into_iter().chain(elements).chain([(format!("[{many}]"), format!("/{field}"))]).collect();
        }
        "location" => vec!["7".into(), "[]".into(), "true".into(), long(1_001), r#""\u0000""#.into()],
        "quantity" => vec!["7".into(), "[]".into(), "true".into(), long(101), r#""\u0000""#.into()],
        "recurrence" => ["7", "[]", r#""FREQ=NEVER""#, r#""every day""#].map(String::from).to_vec(),
        other => panic!("no invalid values of {other}"),
    };
    all.iter().map(|value| (value.clone(), format!("/{field}"))).collect()
}

/// The paths of a task and of a note, and the fields that PATCH accepts.
pub(crate) const PATCH_FIELDS: [(&str, &[&str]); 2] = [
    (
        TASK,
        &[
            "title",
            "description",
            "priority",
            "completed",
            "columnId",
            "order",
            "assigneeId",
            "dueDate",
            "labels",
            "isPrivate",
        ],
    ),
    (NOTE, &["title", "content", "pinned", "categoryId", "emoji", "color", "tags"]),
];

/// The paths of an event and of an item, and the fields that PATCH accepts, each with the field whose invalid values it
/// shares.
const FIELDS_LIKE: [(&str, &[(&str, &str)]); 2] = [
    (
        "/api/v1/events/event-berg",
        &[
            ("title", "title"),
            ("description", "description"),
            ("startDate", "dueDate"),
            ("endDate", "dueDate"),
            ("allDay", "completed"),
            ("location", "location"),
            ("recurrence", "recurrence"),
            ("assigneeId", "assigneeId"),
        ],
    ),
    (
        "/api/v1/shopping-items/item-berg",
        &[
            ("name", "title"),
            ("quantity", "quantity"),
            ("category", "quantity"),
            ("checked", "completed"),
            ("listId", "columnId"),
        ],
    ),
];

/// Asserts that the requests change nothing that Ann can read.
async fn assert_unchanged<F: Future<Output = ()>>(app: &App, requests: F) {
    let before = app.snapshot().await;
    requests.await;
    assert_eq!(app.snapshot().await, before);
}

on_every_storage! {
    async fn invalid_json_is_400_and_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            for body in invalid_json_bodies() {
                for path in [TASK, NOTE] {
                    let request = bearer("ann-rw", Method::PATCH, path).body(body.clone());
                    let request = request.add_header("content-type", "application/json", true);
                    app.send(request).await.assert_problem(400, "invalid_json");
                }
                let request = session("ann", Method::POST, KEYS).add_header("content-type", "application/json", true);
                app.send(request.body(body)).await.assert_problem(400, "invalid_json");
            }
        })
        .await;
    }

    async fn invalid_value_is_reported_by_pointer_and_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            for (path, fields) in PATCH_FIELDS {
                for field in fields {
                    for (value, pointer) in invalid_values(field) {
                        let body = format!(r#"{{"{field}":{value}}}"#);
                        let response = app.send_json_with_token("ann-rw", Method::PATCH, path, &body).await;
                        assert_eq!(response.status, 422, "{body:.80}");
                        assert_eq!(response.error_pointers(), [pointer], "{body:.80}");
                    }
                }
            }
        })
        .await;
    }

    async fn invalid_value_of_an_event_or_item_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            for (path, fields) in FIELDS_LIKE {
                for (field, like) in fields {
                    for (value, pointer) in invalid_values(like) {
                        let body = format!(r#"{{"{field}":{value}}}"#);
                        let response = app.send_json_with_token("ann-full", Method::PATCH, path, &body).await;
                        assert_eq!(response.status, 422, "{body:.80}");
                        assert_eq!(response.error_pointers(), [pointer.replace(like, field)], "{body:.80}");
                    }
                }
            }
        })
        .await;
    }

    async fn session_routes_refuse_invalid_values_too(kind: StorageKind) {
        let app = App::without_write_limit(kind).await;
        assert_unchanged(&app, async {
            for (field, path, method, other) in [
                ("personalApiEnabled", "/api/users/me", Method::PATCH, ""),
                ("mode", KEYS, Method::POST, ""),
                ("name", KEYS, Method::POST, r#","mode":"mcp_read""#),
                ("expiresAt", KEYS, Method::POST, r#","mode":"mcp_read""#),
                ("title", "/api/tasks/task-berg", Method::PATCH, ""),
                ("tags", "/api/notes/note-berg", Method::PATCH, ""),
                ("title", "/api/events/event-berg", Method::PATCH, ""),
                ("quantity", "/api/shopping-items/item-berg", Method::PATCH, ""),
                ("order", "/api/boards/board-berg", Method::PATCH, ""),
                ("order", "/api/columns/column-berg", Method::PATCH, ""),
                ("description", "/api/boards", Method::POST, r#","name":"x""#),
            ] {
                for (value, pointer) in invalid_values(field) {
                    let body = format!(r#"{{"{field}":{value}{other}}}"#);
                    let response = app.send_json_in_session("ann", method.clone(), path, &body).await;
                    assert_eq!(response.status, 422, "{body:.80}");
                    assert_eq!(response.error_pointers(), [pointer], "{body:.80}");
                }
            }
        })
        .await;
    }

    async fn non_object_or_unknown_field_is_422_and_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            for path in [TASK, NOTE] {
                for body in ["null", "true", "7", r#""x""#, "[]", "[{}]"] {
                    let response = app.send_json_with_token("ann-rw", Method::PATCH, path, body).await;
                    assert_eq!(response.error_pointers(), [""], "{body}");
                }
                let body = r#"{"title":"new","id":"x","familyId":"tal","Title":"x","":1,"~/":null}"#;
                let mut pointers = app.send_json_with_token("ann-rw", Method::PATCH, path, body).await.error_pointers();
                pointers.sort();
                assert_eq!(pointers, ["/", "/Title", "/familyId", "/id", "/~0~1"]);
            }
        })
        .await;
    }

    async fn move_task_body_has_exactly_three_fields(app: App) {
        assert_unchanged(&app, async {
            for (body, pointers) in [
                (r#"{"type":"move-task"}"#, vec!["/columnId", "/order"]),
                (r#"{"type":"move-task","columnId":"column-berg"}"#, vec!["/order"]),
                (r#"{"type":"move","columnId":"column-berg","order":1}"#, vec!["/type"]),
                (r#"{"type":null,"columnId":null,"order":null}"#, vec!["/columnId", "/order", "/type"]),
                (r#"{"type":"move-task","columnId":"column-berg","order":1,"title":"x"}"#, vec!["/title"]),
                (r#"{"type":"move-task","columnId":"column-berg","order":1000001}"#, vec!["/order"]),
            ] {
                let mut found = app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.error_pointers();
                found.sort();
                assert_eq!(found, pointers, "{body}");
            }
        })
        .await;
    }

    async fn one_invalid_field_prevents_all_changes_of_a_patch(app: App) {
        assert_unchanged(&app, async {
            let body = r#"{"title":"new","completed":true,"order":-1}"#;
            assert_eq!(
                app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.error_pointers(),
                ["/order"]
            );
            let body = r#"{"title":"new","columnId":"column-tal"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.assert_problem(404, "not_found");
            let body = r#"{"title":"new","assigneeId":"eve"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.assert_problem(404, "not_found");
            let body = r#"{"title":"new","categoryId":"category-tal"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, NOTE, body).await.assert_problem(404, "not_found");
        })
        .await;
    }
}

//! A snapshot of the list of tools, so that a review sees each change of it.

use serde_json::json;

use crate::client::{V1, mcp, result};
use crate::json_lines::json_lines;
use crate::storages::{OnStorage, StorageKind};
use crate::support::App;

#[tokio::test]
async fn list_of_tools_equals_its_snapshot() {
    let app = mcp(&App::on(StorageKind::Memory).await);
    let list = json_lines(&result(&app, "ann-full", V1, "tools/list", json!({})).await);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("tools", list);
    });
}

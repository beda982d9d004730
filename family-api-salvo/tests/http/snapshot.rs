//! A snapshot of the OpenAPI document with every route, so that a review sees each change of it.

use crate::json_lines::json_lines;
use crate::openapi::document;
use crate::storages::{OnStorage, StorageKind};
use crate::support::App;

#[tokio::test]
async fn openapi_document_equals_its_snapshot() {
    let app = App::on(StorageKind::Memory).await.configured(family_api_salvo::FamilyRoutes::mcp);
    let document = json_lines(&document(&app).await);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("openapi", document);
    });
}

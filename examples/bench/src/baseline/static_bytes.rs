//! The static baseline: sends the same bytes from memory for every request. It does no other work.

use std::fs;
use std::path::PathBuf;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use bytes::Bytes;

use crate::baseline::JSON;
use crate::failure::Result;

/// Serves the first file at `/0`, the second file at `/1` and so on.
pub(crate) async fn serve(files: Vec<PathBuf>) -> Result<()> {
    let mut router = Router::new();
    for (index, file) in files.into_iter().enumerate() {
        let bytes = Bytes::from(fs::read(file)?);
        router = router.route(&format!("/{index}"), get(async || ([(CONTENT_TYPE, JSON)], bytes)));
    }
    super::serve(router).await
}

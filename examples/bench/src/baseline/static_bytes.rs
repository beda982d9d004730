//! The static baseline: sends the same bytes from memory for every request. It does no other work.

use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use salvo::http::header::{CONTENT_TYPE, HeaderValue};
use salvo::prelude::*;

use crate::failure::Result;

/// Serves the first file at `/0`, the second file at `/1` and so on.
pub(crate) async fn serve(files: Vec<PathBuf>) -> Result<()> {
    let mut router = Router::new();
    for (index, file) in files.into_iter().enumerate() {
        router = router.push(Router::with_path(index.to_string()).get(StaticBytes(fs::read(file)?.into())));
    }
    super::serve(router).await
}

struct StaticBytes(Bytes);

#[handler]
impl StaticBytes {
    fn handle(&self, res: &mut Response) {
        res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        res.body(self.0.clone());
    }
}

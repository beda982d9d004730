//! The path of a record that a request has created.

use std::fmt::Write as _;

use salvo::Request;

/// Returns the path of the record `id`. `collection` is the template that the path of the request ends with, and
/// `record` the template of the record's path.
///
/// The path of the request may begin with the prefix under which the host mounts the API. The result then has the same
/// prefix. It is always a valid header value.
pub(crate) fn location(req: &Request, collection: &str, record: &str, id: &str) -> String {
    fill(req.uri().path(), collection, record, id)
}

fn fill(path: &str, collection: &str, record: &str, id: &str) -> String {
    // No parameter of a path contains a slash: it would be percent-encoded.
    let depth = collection.matches('/').count();
    let prefix = path.rmatch_indices('/').nth(depth.saturating_sub(1)).map_or("", |(end, _)| &path[..end]);
    format!("{}{}", to_ascii(prefix), record.replace("{id}", id))
}

/// Percent-encodes the bytes of a raw path that a header value cannot contain.
fn to_ascii(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut ascii, byte| {
        if byte.is_ascii_graphic() {
            ascii.push(char::from(byte));
        } else {
            let _ = write!(ascii, "%{byte:02X}");
        }
        ascii
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn location_keeps_the_prefix_of_the_host_and_the_surface() {
        for (path, collection, record, expected) in [
            ("/api/v1/tasks", "/tasks", "/tasks/{id}", "/api/v1/tasks/new"),
            ("/home%20app/x/api/tasks", "/tasks", "/tasks/{id}", "/home%20app/x/api/tasks/new"),
            ("/casa-ñ/api/tasks", "/tasks", "/tasks/{id}", "/casa-%C3%B1/api/tasks/new"),
            ("/api/v1/lists/l%2F1/items", "/lists/{id}/items", "/items/{id}", "/api/v1/items/new"),
            ("/x/api/keys", "/api/keys", "/api/keys/{id}", "/x/api/keys/new"),
            ("/x/api/events/e/occurrences/1", "/events/{id}/occurrences/{start}", "/events/{id}", "/x/api/events/new"),
        ] {
            assert_eq!(fill(path, collection, record, "new"), expected);
        }
    }
}

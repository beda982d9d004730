//! A serialized request, which can be sent many times.

pub(crate) struct Request(Vec<u8>);

impl Request {
    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self(format!("{method} {path} HTTP/1.1\r\nhost: family.example\r\n\r\n").into_bytes())
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        // Removes the empty line, which is added again after the header.
        self.0.truncate(self.0.len() - 2);
        self.0.extend_from_slice(format!("{name}: {value}\r\n\r\n").as_bytes());
        self
    }

    /// Appends the body. Call it last, because `header` cannot insert before a body.
    pub(crate) fn json(self, body: &serde_json::Value) -> Self {
        let body = body.to_string();
        let mut request = self.header("content-type", "application/json");
        request = request.header("content-length", &body.len().to_string());
        request.0.extend_from_slice(body.as_bytes());
        request
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_precede_the_empty_line_and_the_body_follows_it() {
        let request = Request::new("PATCH", "/x").token("t").json(&serde_json::json!({}));
        let text = "PATCH /x HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer t\r\ncontent-type: \
                    application/json\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(str::from_utf8(request.as_bytes()).unwrap(), text);
    }
}

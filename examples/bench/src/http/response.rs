//! Parses an HTTP/1.1 response with a `Content-Length`.

use std::str;

use httparse::{EMPTY_HEADER, Header, Status};

use crate::failure::{BoxError, Result};

const MAX_HEADERS: usize = 32;

pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
    head: &'a [u8],
}

impl<'a> Response<'a> {
    /// Parses the received bytes. Returns `None` if the response is not complete.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Option<Self>> {
        let mut headers = [EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Response::new(&mut headers);
        let Status::Complete(head_length) = parsed.parse(bytes)? else {
            return Ok(None);
        };
        let status = parsed.code.unwrap_or_default();
        let length = body_length(status, parsed.headers)?;
        let (head, rest) = bytes.split_at(head_length);
        if rest.len() > length {
            return Err(BoxError::from("unexpected bytes after the response"));
        }
        Ok((rest.len() == length).then_some(Self { status, body: rest, head }))
    }

    /// Returns the size of the response with its headers, in bytes.
    pub(crate) fn total_bytes(&self) -> usize {
        self.head.len() + self.body.len()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&'a str> {
        let mut headers = [EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Response::new(&mut headers);
        parsed.parse(self.head).ok()?;
        let header = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        str::from_utf8(header.value).ok()
    }

    /// Returns the response if it has the expected status.
    pub(crate) fn expect(self, status: u16) -> Result<Self> {
        if self.status == status {
            return Ok(self);
        }
        let body = String::from_utf8_lossy(&self.body[..self.body.len().min(300)]);
        Err(format!("expected the status {status}, got {}: {body}", self.status).into())
    }
}

fn body_length(status: u16, headers: &[Header<'_>]) -> Result<usize> {
    if matches!(status, 204 | 304) {
        return Ok(0);
    }
    let length = headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.ok_or("the response has no content-length")?;
    Ok(str::from_utf8(length.value)?.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3\r\n\r\nabc";

    #[test]
    fn a_response_is_parsed_when_its_last_byte_has_arrived() {
        for length in 0..RESPONSE.len() {
            assert!(Response::parse(&RESPONSE[..length]).unwrap().is_none(), "{length}");
        }
        let response = Response::parse(RESPONSE).unwrap().unwrap();
        assert_eq!((response.status, response.body, response.total_bytes()), (200, &b"abc"[..], RESPONSE.len()));
        assert_eq!(response.header("etag"), Some("\"1\""));
        assert!(Response::parse(&[RESPONSE, b"d"].concat()).is_err());
    }

    #[test]
    fn a_304_has_no_body() {
        let response = Response::parse(b"HTTP/1.1 304 Not Modified\r\ncontent-length: 3\r\n\r\n").unwrap();
        assert!(response.unwrap().body.is_empty());
    }
}

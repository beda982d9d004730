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
        let Some(Head { status, length, body }) = Head::parse(bytes)? else { return Ok(None) };
        let (head, rest) = bytes.split_at(length);
        if rest.len() > body {
            return Err(BoxError::from("unexpected bytes after the response"));
        }
        Ok((rest.len() == body).then_some(Self { status, body: rest, head }))
    }

    /// Parses the head of a response. Returns its status and how many bytes of its body are missing, or `None` if the
    /// head is not complete.
    pub(super) fn parse_head(bytes: &[u8]) -> Result<Option<(u16, usize)>> {
        let head = Head::parse(bytes)?;
        Ok(head.map(|Head { status, length, body }| (status, (length + body).saturating_sub(bytes.len()))))
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

/// What the head of a response states.
struct Head {
    status: u16,
    /// The length of the head in bytes.
    length: usize,
    /// The length of the body in bytes.
    body: usize,
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Option<Self>> {
        let mut headers = [EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Response::new(&mut headers);
        let Status::Complete(length) = parsed.parse(bytes)? else { return Ok(None) };
        let status = parsed.code.unwrap_or_default();
        Ok(Some(Self { status, length, body: body_length(status, parsed.headers)? }))
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
        assert_eq!(Response::parse_head(&RESPONSE[..RESPONSE.len() - 2]).unwrap(), Some((200, 2)));
    }

    #[test]
    fn a_304_has_no_body() {
        let response = Response::parse(b"HTTP/1.1 304 Not Modified\r\ncontent-length: 3\r\n\r\n").unwrap();
        assert!(response.unwrap().body.is_empty());
    }
}

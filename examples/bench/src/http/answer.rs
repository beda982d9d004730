//! Responses.

use std::str;

use httparse::{EMPTY_HEADER, Header, Response, Status};

use crate::failure::{Failure, Result};

const MOST_HEADERS: usize = 32;

pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
    head: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Parses the received bytes. Returns `None` if the response is not complete.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Option<Self>> {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut response = Response::new(&mut headers);
        let Status::Complete(head) = response.parse(bytes)? else {
            return Ok(None);
        };
        let status = response.code.unwrap_or_default();
        let length = body_length(status, response.headers)?;
        let (head, rest) = bytes.split_at(head);
        if rest.len() > length {
            return Err(Failure::from("unexpected bytes after the response"));
        }
        Ok((rest.len() == length).then_some(Self { status, body: rest, head }))
    }

    /// Size of the response including its headers, in bytes.
    pub(crate) fn wire(&self) -> usize {
        self.head.len() + self.body.len()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&'a str> {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut response = Response::new(&mut headers);
        response.parse(self.head).ok()?;
        let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
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
    let length = length.ok_or("an answer does not say how long it is")?;
    Ok(str::from_utf8(length.value)?.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &[u8] = b"HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3\r\n\r\nabc";

    #[test]
    fn a_response_is_complete_with_its_last_byte() {
        for length in 0..WHOLE.len() {
            assert!(Answer::parse(&WHOLE[..length]).unwrap().is_none(), "{length}");
        }
        let answer = Answer::parse(WHOLE).unwrap().unwrap();
        assert_eq!((answer.status, answer.body, answer.wire()), (200, &b"abc"[..], WHOLE.len()));
        assert_eq!(answer.header("etag"), Some("\"1\""));
        assert!(Answer::parse(&[WHOLE, b"d"].concat()).is_err());
    }

    #[test]
    fn a_304_has_no_body() {
        let answer = Answer::parse(b"HTTP/1.1 304 Not Modified\r\ncontent-length: 3\r\n\r\n").unwrap();
        assert!(answer.unwrap().body.is_empty());
    }
}

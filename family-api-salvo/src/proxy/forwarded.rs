//! The header `Forwarded` (RFC 7239).

use std::net::IpAddr;

use salvo::http::HeaderValue;
use salvo::http::uri::Scheme;

use crate::origin::parse_scheme;
use crate::proxy::values::{parse_address, parse_host};

/// What one proxy states about the request that it received: one element of the header.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Element {
    /// The sender. `None` if the proxy hides it or does not know it.
    pub(super) client: Option<IpAddr>,
    pub(super) scheme: Option<Scheme>,
    pub(super) host: Option<HeaderValue>,
}

/// Returns the elements of one header line, from the nearest proxy to the farthest.
///
/// A proxy appends its element to what the client has sent. So the line is split from its end, and what the client has
/// sent cannot change the elements after it: a comma separates elements if an even number of quotation marks follows.
pub(super) fn elements(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    line.rsplit(move |byte| {
        is_quoted ^= *byte == b'"';
        *byte == b',' && !is_quoted
    })
}

impl Element {
    /// Parses an element. Returns `None` if it is malformed or repeats a parameter.
    ///
    /// A value without quotation marks can contain `:`, `[` and `]`, which RFC 7239 does not permit but some proxies
    /// send. Blanks beside `;` are permitted, too. Unknown parameters are ignored.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mut client, mut scheme, mut host) = (None, None, None);
        let mut rest = text.trim_start_matches(SEPARATORS);
        while !rest.is_empty() {
            let (name, value, tail) = pair(rest)?;
            let known = match name {
                _ if name.eq_ignore_ascii_case("for") => &mut client,
                _ if name.eq_ignore_ascii_case("proto") => &mut scheme,
                _ if name.eq_ignore_ascii_case("host") => &mut host,
                _ => &mut None,
            };
            if known.replace(value).is_some() {
                return None;
            }
            let tail = tail.trim_start_matches(BLANKS);
            if !tail.is_empty() && !tail.starts_with(';') {
                return None;
            }
            rest = tail.trim_start_matches(SEPARATORS);
        }
        Some(Self {
            client: client.and_then(|node| parse_address(&node)),
            scheme: scheme.and_then(|scheme| parse_scheme(&scheme)),
            host: host.and_then(|host| parse_host(&host)),
        })
    }
}

const BLANKS: [char; 2] = [' ', '\t'];

/// The characters between two parameters, which can also be empty.
const SEPARATORS: [char; 3] = [' ', '\t', ';'];

/// Splits `name=value` from the beginning of a text. Returns the name, the value without quotation marks, and the rest.
fn pair(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.split_once('=')?;
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if !is_name {
        return None;
    }
    let (value, rest) = if let Some(quoted) = rest.strip_prefix('"') {
        unquote(quoted)?
    } else {
        let end = rest.find([';', ' ', '\t', '"', '\\']).unwrap_or(rest.len());
        let (value, rest) = rest.split_at(end);
        (value.to_owned(), rest)
    };
    (!value.is_empty()).then_some((name, value, rest))
}

/// Reads a quoted string (RFC 9110, section 5.6.4) after its first quotation mark. Returns the string and the rest.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => return Some((value, chars.as_str())),
            '\\' => value.push(chars.next()?),
            char => value.push(char),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(client: Option<&str>, scheme: Option<Scheme>, host: Option<&'static str>) -> Element {
        let client = client.map(|client| client.parse().unwrap());
        Element { client, scheme, host: host.map(HeaderValue::from_static) }
    }

    #[test]
    fn element_names_the_client_the_scheme_and_the_host() {
        let https = Some(Scheme::HTTPS);
        for (text, expected) in [
            ("", element(None, None, None)),
            ("for=192.0.2.1", element(Some("192.0.2.1"), None, None)),
            ("For=192.0.2.1", element(Some("192.0.2.1"), None, None)),
            (r#"for="192.0.2.1:80""#, element(Some("192.0.2.1"), None, None)),
            (r#"for="[2001:db8::1]:80""#, element(Some("2001:db8::1"), None, None)),
            (r#"for="\[2001:db8::1]""#, element(Some("2001:db8::1"), None, None)),
            ("for=[2001:db8::1]:80", element(Some("2001:db8::1"), None, None)),
            ("for=unknown;proto=https", element(None, https.clone(), None)),
            ("for=_hidden", element(None, None, None)),
            (
                r#" for=192.0.2.1; PROTO=HTTPS ;host="a.example:80";by=_b "#,
                element(Some("192.0.2.1"), https, Some("a.example:80")),
            ),
            ("for=192.0.2.1;proto=gopher;host=a/b", element(Some("192.0.2.1"), None, None)),
            (";", element(None, None, None)),
            ("for=192.0.2.1; ;", element(Some("192.0.2.1"), None, None)),
            (r#"secret="a;b,c=\"d";for=192.0.2.1"#, element(Some("192.0.2.1"), None, None)),
        ] {
            assert_eq!(Element::parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn malformed_elements_are_refused() {
        for text in [
            "192.0.2.1",
            "for",
            "for=",
            "=192.0.2.1",
            "for =192.0.2.1",
            "for= 192.0.2.1",
            "for=192.0.2.1 proto=https",
            "for=192.0.2.1;for=192.0.2.2",
            "for=192.0.2.1;FOR=192.0.2.1",
            "for=192.0.2.1;proto=http;proto=https",
            r#"for="192.0.2.1"#,
            r#"for=192.0.2.1""#,
            r#"for="192.0.2.1"x"#,
            r#"for="192.0.2.1\"#,
            r#"for="""#,
            r#"for=\"192.0.2.1\""#,
            r#"x="a"b";for=192.0.2.1"#,
            "for=192.0.2.1;\u{e4}=1",
        ] {
            assert_eq!(Element::parse(text), None, "{text}");
        }
    }

    #[test]
    fn line_is_split_from_its_end() {
        let split =
            |line: &'static str| elements(line.as_bytes()).map(str::from_utf8).collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(split("for=a, for=b"), [" for=b", "for=a"]);
        assert_eq!(split(r#"for="a,b",for=c"#), ["for=c", r#"for="a,b""#]);
        assert_eq!(split(r#"for="a, for=b"#), [" for=b", r#"for="a"#]);
        assert_eq!(split(""), [""]);
        assert_eq!(split(","), ["", ""]);
    }
}

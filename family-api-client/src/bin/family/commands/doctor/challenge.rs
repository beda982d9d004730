//! The header `WWW-Authenticate` (RFC 9110, section 11.6.1).

/// The parameters of a `Bearer` challenge.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// The URL of the metadata of the endpoint (RFC 9728). `None` if connecting without a key is off.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that the endpoint needs.
    pub(crate) scope: Option<String>,
    /// The reason of the refusal. There must be none if the request had no token.
    pub(crate) error: Option<String>,
}

impl Challenge {
    /// Parses one header value. `None` if it is not a `Bearer` challenge.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let (scheme, parameters) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
        let parameter = |name: &str| {
            let mut all = parameters_of(parameters);
            all.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        scheme.eq_ignore_ascii_case("Bearer").then(|| Self {
            resource_metadata: parameter("resource_metadata"),
            scope: parameter("scope"),
            error: parameter("error"),
        })
    }
}

/// Splits `name="value", name=value` at the commas outside of quotes.
fn parameters_of(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut is_quoted = false;
    let parts = text.split(move |letter| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    });
    parts.filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        Some((name.trim(), value.trim().trim_matches('"').to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_challenge_is_parsed() {
        let text = r#"Bearer realm="a, b", resource_metadata="https://h/x?a=b", scope="v1.read mcp.read", ERROR=x"#;
        let expected = Challenge {
            resource_metadata: Some("https://h/x?a=b".to_owned()),
            scope: Some("v1.read mcp.read".to_owned()),
            error: Some("x".to_owned()),
        };
        assert_eq!(Challenge::parse(text), Some(expected));
        let bare = Challenge { resource_metadata: None, scope: None, error: None };
        assert_eq!(Challenge::parse("bearer"), Some(bare));
        assert_eq!(Challenge::parse(r#"Basic realm="Bearer""#), None);
    }
}

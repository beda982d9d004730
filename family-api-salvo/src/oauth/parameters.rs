//! Parses the parameters of OAuth requests (OAuth 2.1, sections 3.1 and 3.2).

use salvo::Request;
use zeroize::Zeroizing;

use crate::HttpError;
use crate::body::{BodyLimit, MediaTypes, read_body};

/// The maximum size of a form. A form with the longest values that a client can have is half as large.
const FORM_LIMIT: BodyLimit = BodyLimit::of_bytes(16 * 1024);

/// The parameters of a query or a form. A parameter without a value counts as omitted. Unknown parameters are ignored.
///
/// There is no `Debug`, because the values can be secrets. They are zeroed on drop.
pub(crate) struct Parameters(Vec<(String, Zeroizing<String>)>);

/// Why a parameter cannot be used. The message names only the parameter, never its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidParameter {
    #[error("the parameter {0} occurs more than once")]
    Repeated(&'static str),
    #[error("the parameter {0} is missing")]
    Missing(&'static str),
}

impl Parameters {
    /// Parses `application/x-www-form-urlencoded` text. The caller bounds its length.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let decoded = form_urlencoded::parse(encoded);
        Self(decoded.map(|(name, value)| (name.into_owned(), Zeroizing::new(value.into_owned()))).collect())
    }

    /// Reads the form in the body of a request.
    ///
    /// # Errors
    /// [`HttpError::UnsupportedMediaType`] if the body is no form, or the errors of [`read_body`].
    pub(crate) async fn read_form(req: &mut Request) -> Result<Self, HttpError> {
        if !MediaTypes::Form.matches(req) {
            return Err(MediaTypes::Form.unsupported());
        }
        Ok(Self::parse(&read_body(req, FORM_LIMIT).await?))
    }

    /// Returns the value of an optional parameter.
    ///
    /// # Errors
    /// [`InvalidParameter::Repeated`] if the parameter occurs more than once.
    pub(crate) fn find(&self, name: &'static str) -> Result<Option<&str>, InvalidParameter> {
        let mut values = self.0.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value.filter(|value| !value.is_empty())),
            (_, Some(_)) => Err(InvalidParameter::Repeated(name)),
        }
    }

    /// Returns the value of a required parameter.
    ///
    /// # Errors
    /// [`InvalidParameter`] if the parameter is missing or occurs more than once.
    pub(crate) fn get(&self, name: &'static str) -> Result<&str, InvalidParameter> {
        self.find(name)?.ok_or(InvalidParameter::Missing(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_occurs_at_most_once_and_is_not_empty() {
        let parameters = Parameters::parse(b"a=1&b=&c=1&c=2&d=%26+%C3%A9&e=&e=");
        assert_eq!(parameters.get("a"), Ok("1"));
        assert_eq!(parameters.find("b"), Ok(None));
        assert_eq!(parameters.get("b"), Err(InvalidParameter::Missing("b")));
        assert_eq!(parameters.find("c"), Err(InvalidParameter::Repeated("c")));
        assert_eq!(parameters.get("d"), Ok("& \u{e9}"));
        assert_eq!(parameters.get("e"), Err(InvalidParameter::Repeated("e")));
        assert_eq!(parameters.find("f"), Ok(None));
    }
}

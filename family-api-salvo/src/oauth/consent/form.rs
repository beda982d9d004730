//! The answer of the user.

use family_api_core::key::KeyMode;

use crate::oauth::parameters::{InvalidParameter, Parameters};

/// The path of the form.
pub(crate) const PATH: &str = "/oauth/consent";

/// The names of the form's fields.
pub(super) mod field {
    pub(crate) const REQUEST: &str = "request";
    pub(crate) const DECISION: &str = "decision";
    pub(crate) const ACCESS: &str = "access";
    pub(crate) const PERSONAL_API: &str = "personal_api";
}

pub(super) const ALLOW: &str = "allow";
pub(super) const DENY: &str = "deny";
pub(super) const ENABLE: &str = "enable";

/// The answer of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Allow { mode: KeyMode, personal_api: PersonalApi },
    Deny,
}

/// What happens to the switch of the personal API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PersonalApi {
    Unchanged,
    Enable,
}

/// Why a form cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidForm {
    #[error(transparent)]
    Parameter(#[from] InvalidParameter),
    #[error("the parameter {0} has an unknown value")]
    Value(&'static str),
}

impl Decision {
    pub(super) fn parse(form: &Parameters) -> Result<Self, InvalidForm> {
        match form.get(field::DECISION)? {
            ALLOW => {}
            DENY => return Ok(Self::Deny),
            _ => return Err(InvalidForm::Value(field::DECISION)),
        }
        let personal_api = match form.find(field::PERSONAL_API)? {
            None => PersonalApi::Unchanged,
            Some(ENABLE) => PersonalApi::Enable,
            Some(_) => return Err(InvalidForm::Value(field::PERSONAL_API)),
        };
        let mode = KeyMode::from_name(form.get(field::ACCESS)?).ok_or(InvalidForm::Value(field::ACCESS))?;
        Ok(Self::Allow { mode, personal_api })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_needs_a_known_decision_and_access() {
        let parse = |form: &str| Decision::parse(&Parameters::parse(form.as_bytes()));
        let (mode, personal_api) = (KeyMode::V1Read, PersonalApi::Unchanged);
        assert_eq!(parse("decision=allow&access=v1_read"), Ok(Decision::Allow { mode, personal_api }));
        let personal_api = PersonalApi::Enable;
        let enabled = parse("decision=allow&access=v1_read&personal_api=enable");
        assert_eq!(enabled, Ok(Decision::Allow { mode, personal_api }));
        assert_eq!(parse("decision=deny&access=unknown"), Ok(Decision::Deny));
        assert_eq!(parse("access=v1_read"), Err(InvalidParameter::Missing("decision").into()));
        assert_eq!(parse("decision=allow"), Err(InvalidParameter::Missing("access").into()));
        assert_eq!(parse("decision=allow&decision=deny"), Err(InvalidParameter::Repeated("decision").into()));
        for (form, field) in [
            ("decision=yes", "decision"),
            ("decision=allow&access=all", "access"),
            ("decision=allow&access=v1_read&personal_api=on", "personal_api"),
        ] {
            assert_eq!(parse(form), Err(InvalidForm::Value(field)), "{form}");
        }
    }
}

//! The handler of the app's own routes. Each route executes one SQL statement.

use family_api_core::Error;
use family_api_core::validation::{BodyReader, FieldErrors, Json};
use family_api_salvo::{BodyLimit, HttpError, MediaTypes, SessionAuthenticator, read_json};
use family_api_sql::sqlite::fault;
use salvo::{Depot, Request, handler, http::Method, writing::Text};

use crate::{app::MAX_BODY, storage::Hearth};

/// A handler that executes one SQL statement. It responds with the JSON in the first row, or with 404 without a row.
///
/// Parameters: `?1` is the id of the caller, `?2` the title in the body (`POST`) or the id in the path, `?3` the time.
pub(crate) struct Statement(pub(crate) Hearth, pub(crate) &'static str);

#[handler]
impl Statement {
    async fn handle(&self, req: &mut Request, depot: &mut Depot) -> Result<Text<String>, HttpError> {
        let Self(hearth, sql) = self;
        let user = hearth.user(req, depot).await?.ok_or(Error::NotSignedIn)?;
        let input = if req.method() == Method::POST { Some(read_text(req, "title").await?) } else { req.param("id") };
        let query = sqlx::query_scalar(*sql).bind(user.user.as_str()).bind(input).bind(hearth.clock.now().as_millis());
        let pool = if req.method() == Method::GET { &hearth.readers } else { &hearth.writer };
        let json: Option<String> = query.fetch_optional(pool).await.map_err(fault)?;
        Ok(Text::Json(json.ok_or(Error::NotFound)?))
    }
}

/// Reads a JSON object whose only member has the name `member`, and returns the text of the member.
pub(crate) async fn read_text(req: &mut Request, member: &str) -> Result<String, HttpError> {
    let body = read_json(req, BodyLimit::of_bytes(MAX_BODY), MediaTypes::Json).await?;
    let mut fields = BodyReader::new(body).map_err(Error::InvalidField)?;
    let text = fields.required(member, parse_text);
    let errors = fields.finish();
    Ok(text.filter(|_| errors.is_empty()).ok_or(Error::InvalidField(errors))?)
}

fn parse_text(value: &Json) -> Result<String, FieldErrors> {
    let is_valid = |text: &&str| (1..=500).contains(&text.trim().chars().count()) && !text.contains('\0');
    let text = value.as_str().filter(is_valid).ok_or("expected a text of 1 to 500 characters, none of them U+0000")?;
    Ok(text.to_owned())
}

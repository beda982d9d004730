//! The app's own routes. Each executes one SQL statement.

use family_api_core::change::{BodyReader, FieldErrors, Json};
use family_api_core::{Error, storage::sqlite::fault};
use family_api_salvo::{BodyLimit, Failure, MediaTypes, SessionAuthenticator, read_json};
use salvo::{Depot, Request, handler, http::Method, writing::Text};

use crate::{app::MAX_BODY, storage::Hearth};

/// Executes a statement with the caller (`?1`), a text from the request (`?2`) and the time (`?3`). No row is a 404.
pub(crate) struct Statement(pub(crate) Hearth, pub(crate) &'static str);

#[handler]
impl Statement {
    async fn handle(&self, req: &mut Request, depot: &mut Depot) -> Result<Text<String>, Failure> {
        let Self(hearth, sql) = self;
        let user = hearth.user(req, depot).await?.ok_or(Error::NotSignedIn)?;
        let given = if req.method() == Method::POST { Some(text(req, "title").await?) } else { req.param("id") };
        let query = sqlx::query_scalar(*sql).bind(user.user.as_str()).bind(given).bind(hearth.clock.now().as_millis());
        let pool = if req.method() == Method::GET { &hearth.readers } else { &hearth.writer };
        let answer: Option<String> = query.fetch_optional(pool).await.map_err(fault)?;
        Ok(Text::Json(answer.ok_or(Error::NotFound)?))
    }
}

/// Reads a JSON body with one text member, and returns the text.
pub(crate) async fn text(req: &mut Request, member: &str) -> Result<String, Error> {
    let body = read_json(req, BodyLimit::of_bytes(MAX_BODY), MediaTypes::Json).await?;
    let mut fields = BodyReader::new(body).map_err(Error::InvalidField)?;
    let text = fields.required(member, line);
    let faults = fields.finish();
    text.filter(|_| faults.is_empty()).ok_or(Error::InvalidField(faults))
}

fn line(value: &Json) -> Result<String, FieldErrors> {
    let fits = |text: &&str| (1..=500).contains(&text.trim().chars().count()) && !text.contains('\0');
    let text = value.as_str().filter(fits).ok_or("expected a text of 1 to 500 characters, none of them U+0000")?;
    Ok(text.to_owned())
}

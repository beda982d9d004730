//! The app's own routes, each one statement: what it did before it had an API.

use std::collections::BTreeMap;

use family_api_core::{Clock, Error};
use family_api_salvo::{Failure, SessionAuthenticator};
use salvo::{Depot, Request, handler, http::Method, writing::Text};

use crate::storage::{Hearth, fault};

pub(crate) const SHOW: &str = "SELECT json_object('title', h.title, 'members', (
        SELECT json_group_array(m.name ORDER BY m.name) FROM person m WHERE m.household = h.id
    )) FROM person p JOIN household h ON h.id = p.household WHERE p.id = ?1";

/// At the end of the first lane that everybody in the household sees.
pub(crate) const ADD_CHORE: &str = "INSERT INTO chore (id, lane, title, urgency, state, place, author, made, changed)
    SELECT lower(hex(randomblob(16))), l.id, ?2, 'medium', 'open',
        (SELECT coalesce(max(place) + 1, 0) FROM chore WHERE lane = l.id), p.id, ?3, ?3
    FROM person p JOIN wall w ON w.household = p.household AND NOT w.hidden JOIN lane l ON l.wall = w.id
    WHERE p.id = ?1 ORDER BY w.place, w.id, l.place, l.id LIMIT 1 RETURNING json_object('id', id)";

pub(crate) const REMOVE_MEMBER: &str = "UPDATE person SET household = NULL, changed = ?3
    WHERE id = ?2 AND household = (SELECT household FROM person WHERE id = ?1) RETURNING json_object('id', id)";

/// Executes a statement for the caller (`?1`) with a text of theirs (`?2`) now (`?3`); what it does not find is 404.
pub(crate) struct Act(pub(crate) Hearth, pub(crate) &'static str);

#[handler]
impl Act {
    async fn handle(&self, req: &mut Request, depot: &mut Depot) -> Result<Text<String>, Failure> {
        let Self(hearth, sql) = self;
        let user = hearth.user(req, depot).await?.ok_or(Error::NotSignedIn)?;
        let given = if req.method() == Method::POST { Some(text(req, "title").await?) } else { req.param("id") };
        let query = sqlx::query_scalar(*sql).bind(user.as_str()).bind(given).bind(hearth.now().as_millis());
        let answer: Option<String> = query.fetch_optional(&hearth.pool).await.map_err(|e| Error::from(fault(e)))?;
        Ok(Text::Json(answer.ok_or(Error::NotFound)?))
    }
}

/// The text of one member of the body.
pub(crate) async fn text(req: &mut Request, member: &str) -> Result<String, Error> {
    let body = req.parse_json::<BTreeMap<String, String>>().await.ok();
    let text = body.and_then(|mut body| body.remove(member)).filter(|text| (1..=500).contains(&text.trim().len()));
    text.ok_or_else(|| Error::InvalidJson(format!("expected `{member}`, a text of 1 to 500 bytes")))
}

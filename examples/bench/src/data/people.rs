//! A family, its members, and the keys of two of them.

use std::io::{self, Write};

use family_api_core::key::KeyDigest;
use serde_json::json;

use super::draw::Draw;
use super::token::token;
use super::{Lines, MEASURED, Size};

/// Who signs in: the first member of the measured family.
pub(crate) const EMAIL: &str = "member-0-0@family.example";

pub(crate) const PASSWORD: &str = "correct-horse";

pub(super) const COLOURS: [&str; 6] = ["#f43f5e", "#8b5cf6", "#0ea5e9", "#22c55e", "#f59e0b", "#14b8a6"];
const EMOJI: [&str; 6] = ["🌸", "🐻", "🚀", "🌿", "🎈", "🦊"];
const NAMES: [&str; 8] = ["Olena", "Taras", "Mia", "Noah", "Sofia", "Marko", "Emma", "Danylo"];

/// Of the members with a key, what it may do.
const SCOPES: [&[&str]; 2] = [&["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"], &["mcp.read", "v1.read"]];

/// Whom records name.
pub(super) struct People {
    pub(super) family: String,
    pub(super) members: Vec<String>,
}

pub(super) fn write<W: Write>(lines: &mut Lines<'_, W>, draw: &mut Draw, size: &Size) -> io::Result<People> {
    let (family, made) = (draw.id(), draw.instant(-400..-300));
    lines.push(&json!({
        "type": "family", "id": family, "name": format!("{} Family", draw.one_of(&NAMES)),
        "createdAt": made, "updatedAt": made,
    }))?;
    let mut people = People { family, members: vec![] };
    for member in 0..size.members {
        let id = draw.id();
        write_member(lines, draw, &people.family, &id, member)?;
        if let Some(scopes) = SCOPES.get(usize::from(member)) {
            write_key(lines, draw, &id, &token(draw.family, member), scopes)?;
        }
        people.members.push(id);
    }
    Ok(people)
}

fn write_member<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    family: &str,
    id: &str,
    member: u16,
) -> io::Result<()> {
    let made = draw.instant(-300..-200);
    let number = draw.family;
    // A hash costs more than all the rest of a family.
    let password = (number == MEASURED && member == 0).then_some(PASSWORD);
    lines.push(&json!({
        "type": "user", "id": id, "familyId": family, "name": format!("{} {number}-{member}", draw.one_of(&NAMES)),
        "email": format!("member-{number}-{member}@family.example"),
        "image": format!("https://family.example/images/{id}.webp"), "color": draw.one_of(&COLOURS),
        "emoji": draw.one_of(&EMOJI), "displayCurrency": "EUR", "timeZone": "Europe/Kyiv",
        "personalApiEnabled": true, "llmModel": null, "llmKeyConfigured": false, "password": password,
        "createdAt": made, "updatedAt": made,
    }))
}

fn write_key<W: Write>(
    lines: &mut Lines<'_, W>,
    draw: &mut Draw,
    user: &str,
    token: &str,
    scopes: &[&str],
) -> io::Result<()> {
    lines.push(&json!({
        "type": "key", "id": draw.id(), "userId": user, "name": null, "hint": format!("fam_…{}", &token[token.len() - 4..]),
        "tokenHash": hex::encode(KeyDigest::of(token).as_bytes()), "scopes": scopes,
        "createdAt": draw.instant(-200..-100), "expiresAt": null, "revokedAt": null,
    }))
}

//! A family, its members, and the keys of two of them.

use std::io::{self, Write};

use family_api_core::key::KeyDigest;
use serde_json::json;

use super::generate::Generator;
use super::token::token;
use super::{Lines, Size};

pub(super) const COLOURS: [&str; 6] = ["#f43f5e", "#8b5cf6", "#0ea5e9", "#22c55e", "#f59e0b", "#14b8a6"];
const EMOJI: [&str; 6] = ["🌸", "🐻", "🚀", "🌿", "🎈", "🦊"];
const NAMES: [&str; 8] = ["Olena", "Taras", "Mia", "Noah", "Sofia", "Marko", "Emma", "Danylo"];

/// Scopes of the keys. The first two members of each family have one key each.
const SCOPES: [&[&str]; 2] =
    [&["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write", "v1.tasks.manage"], &["mcp.read", "v1.read"]];

/// The ids that later records refer to.
pub(super) struct People {
    pub(super) family: String,
    pub(super) members: Vec<String>,
}

pub(super) fn write<W: Write>(lines: &mut Lines<'_, W>, generator: &mut Generator, size: &Size) -> io::Result<People> {
    let (family, created_at) = (generator.id(), generator.instant(-400..-300));
    lines.push(&json!({
        "type": "family", "id": family, "name": format!("{} Family", generator.one_of(&NAMES)),
        "createdAt": created_at, "updatedAt": created_at,
    }))?;
    let mut people = People { family, members: vec![] };
    for member in 0..size.members {
        let id = generator.id();
        write_member(lines, generator, &people.family, &id, member)?;
        if let Some(scopes) = SCOPES.get(usize::from(member)) {
            write_key(lines, generator, &id, &token(generator.family, member), scopes)?;
        }
        people.members.push(id);
    }
    Ok(people)
}

fn write_member<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    family: &str,
    id: &str,
    member: u16,
) -> io::Result<()> {
    let created_at = generator.instant(-300..-200);
    let number = generator.family;
    lines.push(&json!({
        "type": "user", "id": id, "familyId": family, "name": format!("{} {number}-{member}", generator.one_of(&NAMES)),
        "email": format!("member-{number}-{member}@family.example"),
        "image": format!("https://family.example/images/{id}.webp"), "color": generator.one_of(&COLOURS),
        "emoji": generator.one_of(&EMOJI), "displayCurrency": "EUR", "timeZone": "Europe/Kyiv",
        "personalApiEnabled": true, "llmKeyConfigured": false, "createdAt": created_at, "updatedAt": created_at,
    }))
}

fn write_key<W: Write>(
    lines: &mut Lines<'_, W>,
    generator: &mut Generator,
    user: &str,
    token: &str,
    scopes: &[&str],
) -> io::Result<()> {
    lines.push(&json!({
        "type": "key", "id": generator.id(), "userId": user, "hint": format!("fam_…{}", &token[token.len() - 4..]),
        "tokenHash": hex::encode(KeyDigest::of(token).as_bytes()), "scopes": scopes,
        "createdAt": generator.instant(-200..-100), "expiresAt": null, "revokedAt": null,
    }))
}

//! A family, its members and their keys.

use std::io::{self, Write};

use family_api_core::key::KeyDigest;
use serde_json::json;

use super::Family;
use super::token::token;

pub(super) const COLOURS: [&str; 6] = ["#f43f5e", "#8b5cf6", "#0ea5e9", "#22c55e", "#f59e0b", "#14b8a6"];
const EMOJI: [&str; 6] = ["🌸", "🐻", "🚀", "🌿", "🎈", "🦊"];
const NAMES: [&str; 8] = ["Olena", "Taras", "Mia", "Noah", "Sofia", "Marko", "Emma", "Danylo"];

/// Scopes of the first member's key.
const ALL_SCOPES: &[&str] = &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write", "v1.tasks.manage"];

/// Scopes of the other keys.
const READ_SCOPES: &[&str] = &["mcp.read", "v1.read"];

impl<W: Write> Family<'_, W> {
    pub(super) fn write_people(&mut self) -> io::Result<()> {
        let created_at = self.random.instant(-400..-300);
        self.lines.push(&json!({
            "type": "family", "id": self.id, "name": format!("{} Family", self.random.one_of(&NAMES)),
            "createdAt": created_at, "updatedAt": created_at,
        }))?;
        for member in 0..self.size.members {
            let id = self.random.id();
            self.write_member(&id, member)?;
            if member < self.size.keys {
                let scopes = if member == 0 { ALL_SCOPES } else { READ_SCOPES };
                self.write_key(&id, &token(self.random.family, member), scopes)?;
            }
            self.members.push(id);
        }
        Ok(())
    }

    fn write_member(&mut self, id: &str, member: u16) -> io::Result<()> {
        let created_at = self.random.instant(-300..-200);
        let number = self.random.family;
        self.lines.push(&json!({
            "type": "user", "id": id, "familyId": self.id,
            "name": format!("{} {number}-{member}", self.random.one_of(&NAMES)),
            "email": format!("member-{number}-{member}@family.example"),
            "image": format!("https://family.example/images/{id}.webp"), "color": self.random.one_of(&COLOURS),
            "emoji": self.random.one_of(&EMOJI), "displayCurrency": "EUR", "timeZone": "Europe/Kyiv",
            "personalApiEnabled": true, "llmKeyConfigured": false, "createdAt": created_at, "updatedAt": created_at,
        }))
    }

    fn write_key(&mut self, user: &str, token: &str, scopes: &[&str]) -> io::Result<()> {
        self.lines.push(&json!({
            "type": "key", "id": self.random.id(), "userId": user,
            "hint": format!("fam_…{}", &token[token.len() - 4..]),
            "tokenHash": hex::encode(KeyDigest::of(token).as_bytes()), "scopes": scopes,
            "createdAt": self.random.instant(-200..-100), "expiresAt": null, "revokedAt": null,
        }))
    }
}

//! A stored grant.

use family_api_core::Timestamp;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::grant::Rotation;
use family_api_core::id::GrantId;
use family_api_core::key::{KeyDigest, KeyMode, ScopeSet};
use family_api_core::paths;
use family_api_core::storage::{ExchangedSecret, GrantLookup, GrantState, NewGrant, StoredGrant, TokenIssue};

/// A grant and its current tokens.
#[derive(Debug, Clone)]
pub(crate) struct GrantEntry {
    pub(crate) new: NewGrant,
    pub(crate) expires_at: Timestamp,
    pub(crate) last_used_at: Option<Timestamp>,
    pub(crate) revoked_at: Option<Timestamp>,
    /// Why the grant was revoked, if a secret was misused.
    pub(crate) misuse: Option<Misuse>,
    pub(crate) tokens: Option<Tokens>,
}

/// The current tokens of a grant.
#[derive(Debug, Clone)]
pub(crate) struct Tokens {
    pub(crate) lineage: KeyDigest,
    pub(crate) refresh: KeyDigest,
    pub(crate) access: KeyDigest,
    pub(crate) scopes: ScopeSet,
    pub(crate) expires_at: Timestamp,
    pub(crate) rotation: Option<Rotation>,
}

impl Tokens {
    pub(crate) fn of(issue: &TokenIssue) -> Self {
        Self {
            lineage: issue.lineage,
            refresh: issue.refresh,
            access: issue.access,
            scopes: issue.scopes.clone(),
            expires_at: issue.access_expires_at,
            rotation: match issue.exchanged {
                ExchangedSecret::Code => None,
                ExchangedSecret::RefreshToken { digest, nonce } => Some(Rotation {
                    predecessor: digest,
                    nonce,
                    rotated_at: issue.now,
                    scopes: issue.scopes.clone(),
                    access_expires_at: issue.access_expires_at,
                }),
            },
        }
    }
}

impl GrantEntry {
    /// Returns by what the least used grant is found: the last use, then the creation, then the id.
    pub(crate) fn last_use(&self) -> (Timestamp, Timestamp, &GrantId) {
        (self.last_used_at.unwrap_or(self.new.created_at), self.new.created_at, &self.new.id)
    }

    /// Returns when the grant was revoked, or when it expires if it is not revoked.
    pub(crate) fn end(&self) -> Timestamp {
        self.revoked_at.unwrap_or(self.expires_at)
    }

    pub(crate) fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }

    pub(crate) fn state(&self) -> GrantState {
        match (self.revoked_at, &self.tokens) {
            (Some(_), _) => GrantState::Revoked,
            (None, Some(tokens)) => GrantState::Issued { refresh: tokens.refresh },
            (None, None) => GrantState::Approved,
        }
    }

    /// Returns whether a client can exchange the secret for tokens.
    pub(crate) fn is_current(&self, secret: ExchangedSecret) -> bool {
        match secret {
            ExchangedSecret::Code => self.tokens.is_none(),
            ExchangedSecret::RefreshToken { digest, .. } => {
                self.tokens.as_ref().is_some_and(|tokens| tokens.refresh == digest)
            }
        }
    }

    /// Returns the tokens, which no longer exist after a revocation.
    pub(crate) fn live_tokens(&self) -> Option<&Tokens> {
        self.tokens.as_ref().filter(|_| self.revoked_at.is_none())
    }

    pub(crate) fn has(&self, secret: GrantLookup<'_>) -> bool {
        match secret {
            GrantLookup::Code(code) => self.new.code == *code,
            GrantLookup::Lineage(lineage) => self.tokens.as_ref().is_some_and(|tokens| tokens.lineage == *lineage),
            GrantLookup::AccessToken(access) => self.live_tokens().is_some_and(|tokens| tokens.access == *access),
        }
    }

    pub(crate) fn stored(&self) -> StoredGrant {
        StoredGrant {
            id: self.new.id.clone(),
            user: self.new.owner.user.clone(),
            client_id: self.new.client.id().to_owned(),
            redirect_uri: self.new.redirect_uri.clone(),
            surface: self.new.surface,
            scopes: self.new.scopes.clone(),
            challenge: self.new.challenge,
            state: self.state(),
            rotation: self.tokens.as_ref().and_then(|tokens| tokens.rotation.clone()),
            expires_at: self.expires_at,
        }
    }

    pub(crate) fn misused(&self) -> Option<MisusedConnection> {
        Some(MisusedConnection {
            id: self.new.id.clone(),
            client: self.new.client.name().map(str::to_owned),
            host: self.new.client.host().to_owned(),
            ended_at: self.revoked_at?,
            misuse: self.misuse?,
        })
    }

    pub(crate) fn connection(&self) -> Connection {
        Connection {
            id: self.new.id.clone(),
            client: self.new.client.name().map(str::to_owned),
            host: self.new.client.host().to_owned(),
            mode: KeyMode::from_scopes_on(self.new.surface, &self.new.scopes),
            scopes: self.new.scopes.clone(),
            resource: paths::mcp(self.new.surface).to_owned(),
            created_at: self.new.created_at,
            last_used_at: self.last_used_at,
        }
    }
}

//! Hashes and verifies passwords.

use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use family_api_core::storage::{PasswordHash, StorageError};

/// A dummy hash with the current parameters. Verifying it takes as long as verifying a real hash.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5LW5vYm9keS1ubw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Maximum memory of the verification of a hash, in KiB: 256 MiB.
const MAX_MEMORY: u32 = 256 * 1024;

/// Maximum number of passes over the memory in the verification of a hash.
const MAX_PASSES: u32 = 10;

/// A password cannot be hashed.
#[derive(Debug, thiserror::Error)]
#[error("the password cannot be hashed")]
pub(crate) struct HashError(#[source] Error);

/// Passwords cannot be verified against a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnverifiableHash {
    #[error("expected an Argon2 hash in PHC string format")]
    Format,
    /// Each sign-in of its user would use more memory or time than [`MAX_MEMORY`] and [`MAX_PASSES`].
    #[error(
        "expected a hash of at most m=262144 (256 MiB) and t=10: omit the password, and then set one with \
         `user set-password`"
    )]
    Cost,
}

/// Hashes a password with a new random salt. Takes tens of milliseconds of CPU time and 19 MiB of memory.
pub(crate) fn hash(password: &str) -> Result<PasswordHash, HashError> {
    let hash: Phc = Argon2::default().hash_password(password.as_bytes()).map_err(HashError)?;
    Ok(PasswordHash::new(hash.to_string()))
}

/// Returns whether the password matches the hash. Without a hash, it takes the same time and returns `false`.
///
/// # Errors
/// [`StorageError::Corrupt`] for an [`UnverifiableHash`].
pub(crate) fn verify(password: &str, hash: Option<&PasswordHash>) -> Result<bool, StorageError> {
    let phc = parse(hash.map_or(DUMMY_HASH, PasswordHash::expose)).map_err(StorageError::corrupt)?;
    match Argon2::default().verify_password(password.as_bytes(), &phc) {
        Ok(()) => Ok(hash.is_some()),
        Err(Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(StorageError::corrupt(error)),
    }
}

/// Checks that passwords can be verified against a hash.
pub(crate) fn check(hash: &PasswordHash) -> Result<(), UnverifiableHash> {
    parse(hash.expose()).map(drop)
}

/// Parses a hash. Its parameters bound the memory and the time of a verification.
fn parse(hash: &str) -> Result<Phc, UnverifiableHash> {
    let phc = Phc::new(hash).map_err(|_| UnverifiableHash::Format)?;
    let params = Params::try_from(&phc).map_err(|_| UnverifiableHash::Format)?;
    let is_argon2 = Algorithm::try_from(phc.algorithm.as_str()).is_ok();
    let is_known = is_argon2 && phc.version.is_none_or(|version| Version::try_from(version).is_ok());
    if !is_known || phc.salt.is_none() || phc.hash.is_none() {
        return Err(UnverifiableHash::Format);
    }
    if params.m_cost() > MAX_MEMORY || params.t_cost() > MAX_PASSES {
        return Err(UnverifiableHash::Cost);
    }
    Ok(phc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_verifies_against_its_own_hash_only() {
        let hashed = hash("correct-horse").unwrap();
        assert!(verify("correct-horse", Some(&hashed)).unwrap());
        assert!(!verify("correct-horse ", Some(&hashed)).unwrap());
        assert!(!verify("correct-horse", None).unwrap());
        assert!(!verify("", None).unwrap());
        let plain = PasswordHash::new("plain".to_owned());
        assert!(verify("x", Some(&plain)).is_err());
        assert_eq!(check(&plain), Err(UnverifiableHash::Format));
        assert_ne!(hash("correct-horse").unwrap(), hashed, "each hash has a different salt");
    }

    #[test]
    fn a_password_verifies_against_a_hash_with_other_parameters() {
        let other = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8 * 1024, 3, 2, None).unwrap());
        let hash: Phc = other.hash_password_with_salt(b"correct-horse", b"0123456789abcdef").unwrap();
        assert!(verify("correct-horse", Some(&PasswordHash::new(hash.to_string()))).unwrap());
    }

    #[test]
    fn only_hashes_within_the_maximum_cost_are_verified() {
        let check = |version: u32, params: &str| {
            let hash = format!("$argon2id$v={version}${params}$bm9ib2R5LW5vYm9keS1ubw$AAAAAAAAAAAAAAAAAAAAAA");
            super::check(&PasswordHash::new(hash))
        };
        // The defaults of argon2-cffi, libsodium (moderate), Django and Keycloak.
        for params in ["m=65536,t=3,p=4", "m=262144,t=3,p=1", "m=102400,t=2,p=8", "m=7168,t=5,p=1", "m=8,t=10,p=1"] {
            assert_eq!(check(19, params), Ok(()), "{params}");
        }
        for params in ["m=262145,t=1,p=1", "m=4294967295,t=1,p=1", "m=8,t=11,p=1", "m=8,t=4294967295,p=1"] {
            assert_eq!(check(19, params), Err(UnverifiableHash::Cost), "{params}");
        }
        assert_eq!(check(20, "m=8,t=1,p=1"), Err(UnverifiableHash::Format));
        assert_eq!(check(19, "m=7,t=1,p=1"), Err(UnverifiableHash::Format));
    }

    #[test]
    fn a_stored_hash_above_the_maximum_cost_is_an_error() {
        let hash = "$argon2id$v=19$m=262145,t=1,p=1$bm9ib2R5LW5vYm9keS1ubw$AAAAAAAAAAAAAAAAAAAAAA";
        let verified = verify("correct-horse", Some(&PasswordHash::new(hash.to_owned())));
        assert!(matches!(verified, Err(StorageError::Corrupt(_))), "{verified:?}");
    }

    #[test]
    fn the_dummy_hash_costs_the_same_as_a_real_hash() {
        let cost = |phc: &str| {
            let phc = Phc::new(phc).unwrap();
            (phc.algorithm, phc.version, phc.params.clone(), phc.salt.unwrap().len(), phc.hash.unwrap().len())
        };
        assert_eq!(cost(DUMMY_HASH), cost(hash("any").unwrap().expose()));
    }
}

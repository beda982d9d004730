//! Hashes and verifies passwords, with reused memory.

use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash as Phc, Salt};
use argon2::password_hash::{CustomizedPasswordHasher, Error, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Block, Params, Version};
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

/// Hashes and verifies passwords. Each call takes tens of milliseconds of CPU time and 19 MiB of memory.
///
/// The memory is reused by later calls. If it were freed after each call, the allocator would keep 19 MiB for
/// every thread that has ever hashed a password.
#[derive(Default)]
pub(crate) struct Hasher {
    free_memory: Mutex<Vec<Vec<Block>>>,
}

impl Hasher {
    /// Hashes a password with a new random salt.
    pub(crate) fn hash(&self, password: &str) -> Result<PasswordHash, HashError> {
        let hash: Phc = self.hash_password(password.as_bytes()).map_err(HashError)?;
        Ok(PasswordHash::new(hash.to_string()))
    }

    /// Returns whether the password matches the hash. Without a hash, it takes the same time and returns `false`.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] for an [`UnverifiableHash`].
    pub(crate) fn verify(&self, password: &str, hash: Option<&PasswordHash>) -> Result<bool, StorageError> {
        let phc = parse(hash.map_or(DUMMY_HASH, PasswordHash::expose)).map_err(StorageError::corrupt)?;
        match self.verify_password(password.as_bytes(), &phc) {
            Ok(()) => Ok(hash.is_some()),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(StorageError::corrupt(error)),
        }
    }

    /// Checks that passwords can be verified against a hash.
    pub(crate) fn check(hash: &PasswordHash) -> Result<(), UnverifiableHash> {
        parse(hash.expose()).map(drop)
    }

    fn with_memory<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let free = || self.free_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = free().pop().unwrap_or_default();
        if memory.len() < blocks {
            memory.resize(blocks, Block::new());
        }
        let result = work(&mut memory);
        // Memory of another size is not kept. It was needed for a hash with other parameters.
        if memory.len() == Params::DEFAULT.block_count() {
            free().push(memory);
        }
        result
    }
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

impl PasswordHasher<Phc> for Hasher {
    fn hash_password_with_salt(&self, password: &[u8], salt: &[u8]) -> Result<Phc, Error> {
        self.hash_password_customized(password, salt, None, None, Params::DEFAULT)
    }
}

/// The `password-hash` crate builds its constant-time verification on this trait.
impl CustomizedPasswordHasher<Phc> for Hasher {
    type Params = Params;

    fn hash_password_customized(
        &self,
        password: &[u8],
        salt: &[u8],
        algorithm: Option<&str>,
        version: Option<u32>,
        params: Params,
    ) -> Result<Phc, Error> {
        let algorithm = algorithm.map(Algorithm::try_from).transpose()?.unwrap_or_default();
        let version = version.map(Version::try_from).transpose()?.unwrap_or_default();
        let salt = Salt::new(salt)?;
        let mut output = [0; Output::MAX_LENGTH];
        let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let output = output.get_mut(..length).ok_or(Error::OutputSize)?;
        let argon2 = Argon2::new(algorithm, version, params.clone());
        self.with_memory(params.block_count(), |memory| {
            argon2.hash_password_into_with_memory(password, &salt, output, memory)
        })?;
        Ok(Phc {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(&params)?,
            salt: Some(salt),
            hash: Some(Output::new(output)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_verifies_against_its_own_hash_only() {
        let hasher = Hasher::default();
        let hash = hasher.hash("correct-horse").unwrap();
        assert!(hasher.verify("correct-horse", Some(&hash)).unwrap());
        assert!(!hasher.verify("correct-horse ", Some(&hash)).unwrap());
        assert!(!hasher.verify("correct-horse", None).unwrap());
        assert!(!hasher.verify("", None).unwrap());
        let plain = PasswordHash::new("plain".to_owned());
        assert!(hasher.verify("x", Some(&plain)).is_err());
        assert_eq!(Hasher::check(&plain), Err(UnverifiableHash::Format));
        assert_ne!(hasher.hash("correct-horse").unwrap(), hash, "each hash has a different salt");
        assert_eq!(hasher.free_memory.into_inner().unwrap().len(), 1);
    }

    #[test]
    fn hashes_equal_the_hashes_of_the_argon2_crate() {
        let (password, salt) = (b"correct-horse", b"0123456789abcdef");
        let ours = Hasher::default().hash_password_with_salt(password, salt).unwrap();
        assert_eq!(ours, Argon2::default().hash_password_with_salt(password, salt).unwrap());
        let params = Params::new(8 * 1024, 3, 2, None).unwrap();
        let other = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let other = PasswordHash::new(other.hash_password_with_salt(password, salt).unwrap().to_string());
        assert!(Hasher::default().verify("correct-horse", Some(&other)).unwrap());
    }

    #[test]
    fn only_hashes_within_the_maximum_cost_are_verified() {
        let check = |version: u32, params: &str| {
            let hash = format!("$argon2id$v={version}${params}$bm9ib2R5LW5vYm9keS1ubw$AAAAAAAAAAAAAAAAAAAAAA");
            Hasher::check(&PasswordHash::new(hash))
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
        let verified = Hasher::default().verify("correct-horse", Some(&PasswordHash::new(hash.to_owned())));
        assert!(matches!(verified, Err(StorageError::Corrupt(_))), "{verified:?}");
    }

    #[test]
    fn the_dummy_hash_costs_the_same_as_a_real_hash() {
        let cost = |phc: &str| {
            let phc = Phc::new(phc).unwrap();
            (phc.algorithm, phc.version, phc.params.clone(), phc.salt.unwrap().len(), phc.hash.unwrap().len())
        };
        assert_eq!(cost(DUMMY_HASH), cost(Hasher::default().hash("any").unwrap().expose()));
    }
}

//! The list of environment tokens (HTTP reference, "Environment tokens").

use family_api_core::id::UserId;
use family_api_core::key::{EnvironmentTokens, KeyDigest, KeyPrefix};

/// Checks that a list is accepted exactly if the HTTP reference allows it, that each token is found, and that an error
/// contains the number of the invalid entry but no token.
pub fn environment_list(data: &[u8]) {
    let Ok(list) = std::str::from_utf8(data) else { return };
    let expected = entries(list);
    match (EnvironmentTokens::parse(list, &KeyPrefix::default()), &expected) {
        (Ok(tokens), Ok(entries)) => {
            for (user, secret) in entries {
                assert_eq!(tokens.find(&KeyDigest::of(secret)).map(UserId::as_str), Some(*user));
                assert_eq!(tokens.find(&KeyDigest::of(&format!("{secret}x"))).map(UserId::as_str), {
                    let longer = format!("{secret}x");
                    entries.iter().find(|(_, other)| *other == longer).map(|(user, _)| *user)
                });
            }
            assert_eq!(format!("{tokens:?}"), format!("EnvironmentTokens({})", entries.len()));
        }
        (Err(error), Err(number)) => {
            assert_eq!(error.number, *number);
            assert_eq!(error.to_string(), format!("entry {number} of the environment tokens {}", error.fault));
        }
        (parsed, expected) => panic!("got {parsed:?} instead of {expected:?}"),
    }
}

/// Returns the entries that the HTTP reference defines for the list, or the number of the first invalid entry.
fn entries(list: &str) -> Result<Vec<(&str, &str)>, usize> {
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for (index, entry) in list.split(',').enumerate().filter(|(_, entry)| !entry.trim().is_empty()) {
        let valid = entry.split_once('|').map(|(user, secret)| (user.trim(), secret.trim()));
        let valid = valid.filter(|(user, secret)| is_id(user) && is_secret(secret));
        match valid {
            Some(valid) if entries.iter().all(|(_, secret)| *secret != valid.1) => entries.push(valid),
            _ => return Err(index + 1),
        }
    }
    Ok(entries)
}

fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn is_secret(text: &str) -> bool {
    (1..=512).contains(&text.len()) && text.chars().all(|c| ('!'..='~').contains(&c)) && !text.starts_with("fam_")
}

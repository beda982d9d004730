//! The list of environment tokens (HTTP reference, "Environment tokens").

use family_api_core::id::UserId;
use family_api_core::key::{EnvironmentTokens, KeyDigest, KeyPrefix};

/// A list is accepted exactly if the HTTP reference allows it. Its entries can be found. An error names only the entry.
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
        (parsed, expected) => panic!("{parsed:?}, and not {expected:?}"),
    }
}

/// Returns the entries of the list by the HTTP reference, or the number of the first invalid entry.
fn entries(list: &str) -> Result<Vec<(&str, &str)>, usize> {
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for (index, entry) in list.split(',').enumerate().filter(|(_, entry)| !entry.trim().is_empty()) {
        let usable = entry.split_once('|').map(|(user, secret)| (user.trim(), secret.trim()));
        let usable = usable.filter(|(user, secret)| is_id(user) && is_secret(secret));
        match usable {
            Some(usable) if entries.iter().all(|(_, secret)| *secret != usable.1) => entries.push(usable),
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

//! The texts of the page of keys and connections.

use serde::Deserialize;

use super::FeedsText;

/// The texts of the page of keys and connections.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub(crate) struct KeysText {
    pub(crate) api: ApiText,
    pub(crate) stop: StopText,
    pub(crate) list: ListText,
    pub(crate) create: CreateText,
    pub(crate) created: CreatedText,
    pub(crate) connections: ConnectionsText,
    pub(crate) confirm: ConfirmText,
    pub(crate) feeds: FeedsText,
    pub(crate) zone: ZoneText,
}

/// The texts of the switch of the personal API.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiText {
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    /// The explanation if there is nothing that a key can change.
    pub(crate) explanation_of_reads: &'static str,
    /// The same if a key cannot read either while the personal API is off.
    pub(crate) explanation_of_all_reads: &'static str,
    pub(crate) switch: &'static str,
    pub(crate) on: &'static str,
    pub(crate) off: &'static str,
    /// The same if there is nothing that a key can change.
    pub(crate) off_for_reads: &'static str,
    /// The same if a key cannot read either while the personal API is off.
    pub(crate) off_for_all_reads: &'static str,
    /// What goes on while the personal API is off: reading on the read path. `{records}` are kinds of records.
    pub(crate) still_reads: &'static str,
    pub(crate) switched_on: &'static str,
    pub(crate) switched_off: &'static str,
}

/// The texts of the button that ends all access.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopText {
    pub(crate) button: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) question: &'static str,
    pub(crate) effect: &'static str,
    /// `{keys}` and `{connections}` are numbers.
    pub(crate) stopped: &'static str,
}

/// The texts of the list of keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListText {
    pub(crate) title: &'static str,
    pub(crate) empty: &'static str,
    /// A list could not be loaded.
    pub(crate) failed: &'static str,
    pub(crate) unnamed: &'static str,
    /// The name of scopes that no mode has.
    pub(crate) other_access: &'static str,
    pub(crate) key: &'static str,
    pub(crate) created: &'static str,
    pub(crate) expires: &'static str,
    pub(crate) never_expires: &'static str,
    pub(crate) last_used: &'static str,
    pub(crate) never_used: &'static str,
    pub(crate) unused: &'static str,
    pub(crate) revoke: &'static str,
    pub(crate) revoked: &'static str,
}

/// The texts of the form that creates a key.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateText {
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) prefilled: &'static str,
    pub(crate) name: &'static str,
    pub(crate) name_hint: &'static str,
    pub(crate) mode: &'static str,
    /// Follows the mode that does not need the personal API.
    pub(crate) works_while_off: &'static str,
    pub(crate) api_is_off: &'static str,
    pub(crate) expires: &'static str,
    pub(crate) week: &'static str,
    pub(crate) month: &'static str,
    pub(crate) quarter: &'static str,
    pub(crate) year: &'static str,
    pub(crate) never: &'static str,
    pub(crate) submit: &'static str,
}

/// The texts that show a new key.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatedText {
    pub(crate) title: &'static str,
    pub(crate) once: &'static str,
    pub(crate) copy: &'static str,
    pub(crate) copied: &'static str,
    pub(crate) copy_failed: &'static str,
    /// The title of the settings that only programmers need.
    pub(crate) programs: &'static str,
    pub(crate) secret: &'static str,
    pub(crate) terminal: &'static str,
    pub(crate) add_to: &'static str,
    pub(crate) done: &'static str,
}

/// The texts of the list of connections.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConnectionsText {
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) address: &'static str,
    pub(crate) unnamed: &'static str,
    pub(crate) host: &'static str,
    /// The host of an app on the user's own device.
    pub(crate) this_device: &'static str,
    pub(crate) connected: &'static str,
    pub(crate) disconnect: &'static str,
    pub(crate) disconnected: &'static str,
    /// Before the apps that were disconnected because their sign-in was used a second time.
    pub(crate) misused: &'static str,
}

/// The texts of the questions. `{name}` is the name of the key or app.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfirmText {
    pub(crate) revoke: &'static str,
    pub(crate) revoke_effect: &'static str,
    pub(crate) disconnect: &'static str,
    pub(crate) disconnect_effect: &'static str,
    pub(crate) cancel: &'static str,
}

/// The texts of the user's time zone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZoneText {
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) save: &'static str,
    /// The button that saves the time zone of the device.
    pub(crate) device: &'static str,
    /// `{zone}` is the name of the time zone.
    pub(crate) saved: &'static str,
}

//! The rule for the users who take part in an event.

use serde_json::json;

use crate::id::UserId;
use crate::resource::Event;
use crate::validation::rules::{ValueRule, reference};
use crate::validation::{FieldErrors, FieldFault, Json, Reference};

/// The maximum number of users who take part in an event.
pub const MAX_PARTICIPANTS: usize = 30;

/// The rule for a list of ids.
pub(super) const PARTICIPANTS: ValueRule<Vec<Reference<UserId>>> = ValueRule {
    read,
    schema: || {
        json!({
            "type": "array",
            "maxItems": MAX_PARTICIPANTS,
            "items": (reference::<UserId>().schema)(),
            "examples": [[]],
        })
    },
};

fn read(value: &Json) -> Result<Vec<Reference<UserId>>, FieldErrors> {
    let Json::Array(elements) = value else {
        return Err("expected an array of identifiers".into());
    };
    if elements.len() > MAX_PARTICIPANTS {
        return Err("must have at most 30 elements".into());
    }
    let is_text = |element: &Json| element.as_str().is_some();
    let others = elements.iter().enumerate().filter(|(_, element)| !is_text(element));
    let faults = others.map(|(index, _)| (index, "expected an identifier"));
    let references = elements.iter().filter_map(Json::as_str).map(Reference::from).collect();
    FieldErrors::of_elements(faults).into_result(references)
}

/// Replaces the users who take part, each once. A user who takes part already may have left the family. Returns the
/// faults.
pub(super) fn set_participants(
    event: &mut Event,
    named: Vec<Reference<UserId>>,
    members: Option<&[UserId]>,
) -> Vec<FieldFault> {
    let is_known = |id: &&UserId| members.unwrap_or_default().contains(id) || event.participant_ids.contains(id);
    let mut participants = Vec::new();
    let mut faults = Vec::new();
    for (index, reference) in named.iter().enumerate() {
        match reference.id().filter(is_known) {
            Some(id) if participants.contains(id) => {}
            Some(id) => participants.push(id.clone()),
            None => {
                faults.push(FieldFault::of_element("participantIds", index, "is not the id of a member of the family"))
            }
        }
    }
    event.participant_ids = participants;
    faults
}

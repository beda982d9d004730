//! A storage whose ids are numbers, and which assigns the ids of new records.

use family_api_core::storage::Capabilities;

use crate::failure::{runs, survival, wrong_outcomes};
use crate::flawed::{Flaw, Flawed};
use crate::flaws::{BROAD_FLAWS, CHANGE_FLAWS, FLAWS};

fn subject(flaw: Flaw) -> Flawed {
    Flawed::new(Capabilities::all().with_changes(), flaw).with_numeric_ids()
}

family_api_conformance::storage_conformance!(subject(Flaw::None));

/// The flaws of ids, with some of the cases that must fail.
const FLAWS_OF_IDS: [(Flaw, &[&str]); 2] = [
    (
        Flaw::MixesUpIds,
        &[
            "a_private_task_is_visible_only_to_its_creator",
            "a_restored_record_is_no_longer_listed",
            "every_field_of_a_task_is_returned",
            "shifted_tasks_change_only_their_order",
        ],
    ),
    (
        Flaw::ReturnsTheProposedId,
        &[
            "a_created_record_has_the_given_fields_and_its_author",
            "a_new_private_record_is_visible_only_to_its_creator",
            "a_repeated_creation_returns_the_first_record",
            "concurrent_creations_with_one_key_create_one_record",
        ],
    ),
];

#[tokio::test]
async fn the_named_cases_fail_for_each_flaw_of_ids() {
    for (flaw, names) in FLAWS_OF_IDS {
        let mut runs = runs!(async { subject(flaw) }; storage_cases);
        runs.retain(|(name, _)| names.contains(name));
        let wrong = wrong_outcomes(runs, names).await;
        assert!(wrong.is_empty(), "{flaw:?}: {wrong:#?}");
    }
}

/// The translation of ids hides no other flaw.
#[tokio::test]
async fn every_flaw_is_found_with_numeric_ids() {
    for (flaw, names) in FLAWS.into_iter().chain(BROAD_FLAWS).chain(CHANGE_FLAWS) {
        let runs = runs!(async { subject(flaw) }; storage_cases);
        for run in runs.into_iter().filter(|(name, _)| names.contains(name)) {
            assert_eq!(survival(run).await, None, "{flaw:?}");
        }
    }
}

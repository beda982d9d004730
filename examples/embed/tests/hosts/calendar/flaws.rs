//! Mistakes of a host that reads. Each turns a case of the suite red.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_conformance::storage_cases;
use family_api_core::change::ProfileChange;
use family_api_core::resource::Profile;
use family_api_core::storage::{
    Capabilities, FamilyData, FamilyStore, Health, Member, Needs, SignedIn, StorageError, UserStorage,
};
use family_api_core::{Timestamp, id::UserId};
use tokio::task::{LocalSet, spawn_local};

use super::suite::Installed;
use super::{Calendar, STATEMENTS, Statements};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    AppointmentsOfEveryClub,
    MembersOfEveryClub,
    ShowsFormerMembers,
    FormerMemberKeepsClub,
    FormerMemberReads,
    MemberOfAnotherClubReads,
    WrongTimeZone,
    LosesMilliseconds,
    TwelveHours,
    YearOfTheWeek,
    LosesDetails,
    KeepsThePrefixOfRules,
    LosesRules,
    ChangedWhenMade,
    DropsAppointmentsOfOthers,
    ForgetsOthers,
    HidesPastAppointments,
    HundredAppointments,
    OffByOneId,
    OnlyListsAppointments,
    SwitchNotStored,
    ZoneNotStored,
    SwitchOfEveryMember,
    EmptyChangeSwitchesOff,
    TimeZoneOfTheServer,
    ProfileBeforeTheUpdate,
    StaleProfile,
    PaddedIds,
    UnknownIdIsAFault,
    NoMembersWithoutAppointments,
    FaultAsAnEmptyList,
    HealthyWithoutAsking,
}

use Flaw::*;

/// The flaws, each with a case that fails.
const FOUND: &[(Flaw, &str)] = &[
    (AppointmentsOfEveryClub, "events_of_another_family_are_not_visible"),
    (MembersOfEveryClub, "only_the_current_members_of_the_own_family_are_listed"),
    (ShowsFormerMembers, "only_the_current_members_of_the_own_family_are_listed"),
    (FormerMemberReads, "a_user_who_left_the_family_reads_none_of_its_data"),
    (MemberOfAnotherClubReads, "a_user_who_left_the_family_reads_none_of_its_data"),
    (FormerMemberKeepsClub, "an_account_has_the_time_zone_api_flag_and_family_of_its_user"),
    (WrongTimeZone, "every_field_of_an_event_is_returned"),
    (LosesMilliseconds, "the_instants_of_an_event_keep_their_milliseconds_in_any_year"),
    (TwelveHours, "every_field_of_an_event_is_returned"),
    (YearOfTheWeek, "the_instants_of_an_event_keep_their_milliseconds_in_any_year"),
    (LosesDetails, "every_field_of_an_event_is_returned"),
    (KeepsThePrefixOfRules, "every_field_of_an_event_is_returned"),
    (LosesRules, "an_event_that_recurs_is_listed"),
    (ChangedWhenMade, "every_field_of_an_event_is_returned"),
    (DropsAppointmentsOfOthers, "an_event_has_the_id_but_no_name_of_an_assignee_who_left"),
    (ForgetsOthers, "an_event_has_the_id_but_no_name_of_an_assignee_who_left"),
    (HidesPastAppointments, "an_event_that_recurs_is_listed"),
    (HundredAppointments, "each_of_many_records_is_returned"),
    (OffByOneId, "a_found_event_equals_the_listed_event"),
    (OnlyListsAppointments, "a_found_event_equals_the_listed_event"),
    (SwitchNotStored, "toggling_the_personal_api_changes_no_other_profile_field"),
    (ZoneNotStored, "a_new_time_zone_is_stored_for_one_user"),
    (SwitchOfEveryMember, "toggling_the_personal_api_changes_no_other_profile_field"),
    (EmptyChangeSwitchesOff, "an_empty_profile_change_changes_nothing"),
    (TimeZoneOfTheServer, "every_field_of_a_profile_is_returned"),
    (ProfileBeforeTheUpdate, "toggling_the_personal_api_changes_no_other_profile_field"),
    (StaleProfile, "find_key_and_find_account_return_the_current_api_flag"),
    (PaddedIds, "an_unknown_user_is_not_found"),
    (UnknownIdIsAFault, "an_unknown_user_is_not_found"),
    (NoMembersWithoutAppointments, "every_field_of_a_member_is_returned"),
    (FaultAsAnEmptyList, "no_call_hides_that_the_database_does_not_answer"),
    (HealthyWithoutAsking, "no_call_hides_that_the_database_does_not_answer"),
];

impl Flaw {
    /// Returns the statements with the mistake.
    pub(super) fn statements(self) -> Statements {
        let edited = |sql: &str, from: &str, to: &str| -> &'static str {
            assert!(sql.contains(from), "{self:?}: {from}");
            sql.replace(from, to).leak()
        };
        let load = |from, to| Statements { load: edited(STATEMENTS.load, from, to), ..STATEMENTS };
        let find = |from, to| Statements { find: edited(STATEMENTS.find, from, to), ..STATEMENTS };
        let update = |from, to| Statements { update: edited(STATEMENTS.update, from, to), ..STATEMENTS };
        match self {
            AppointmentsOfEveryClub => load("appointment WHERE club = $1 AND", "appointment WHERE"),
            MembersOfEveryClub => load("member WHERE club = $1 AND left_at", "member WHERE left_at"),
            ShowsFormerMembers => load("WHERE club = $1 AND left_at IS NULL)", "WHERE club = $1)"),
            FormerMemberKeepsClub => find("CASE WHEN left_at IS NULL THEN club::text END", "club::text"),
            FormerMemberReads => load("id = $2 AND club = $1 AND left_at IS NULL", "id = $2 AND club = $1"),
            MemberOfAnotherClubReads => load("id = $2 AND club = $1 AND left_at IS NULL", "id = $2"),
            WrongTimeZone => load("begins AT TIME ZONE 'UTC'", "begins AT TIME ZONE 'Europe/Berlin'"),
            LosesMilliseconds => load("SS.MS", "SS.000"),
            TwelveHours => load("HH24", "HH12"),
            YearOfTheWeek => load("YYYY", "IYYY"),
            LosesDetails => load("'description', details,", ""),
            KeepsThePrefixOfRules => load("substr(repeats, 7)", "repeats"),
            LosesRules => load("substr(repeats, 7)", "NULL"),
            ChangedWhenMade => load("to_char(changed", "to_char(made"),
            DropsAppointmentsOfOthers => load(
                "appointment WHERE",
                "appointment WHERE coalesce(host, 0) IN (SELECT id FROM member WHERE club = $1 UNION SELECT 0) AND",
            ),
            ForgetsOthers => load("host::text", "(SELECT m.id FROM member m WHERE m.id = host AND m.club = $1)::text"),
            HidesPastAppointments => load("appointment WHERE", "appointment WHERE ends > '2026-11-01' AND"),
            HundredAppointments => load("FROM appointment WHERE", "FROM (SELECT * FROM appointment LIMIT 100) a WHERE"),
            OffByOneId => load("id::text = $3", "(id + 1)::text = $3"),
            OnlyListsAppointments => load(" OR id::text = $3", ""),
            SwitchNotStored => update("coalesce($2, api_open)", "coalesce(api_open, $2)"),
            ZoneNotStored => update("coalesce($3, zone)", "coalesce(zone, $3)"),
            SwitchOfEveryMember => update("WHERE id = $1", "WHERE $1::bigint IS NOT NULL"),
            EmptyChangeSwitchesOff => update("coalesce($2, api_open)", "coalesce($2, FALSE)"),
            TimeZoneOfTheServer => find("'timeZone', zone", "'timeZone', 'UTC'"),
            NoMembersWithoutAppointments => load(
                "FROM member WHERE club = $1 AND",
                "FROM member WHERE id IN (SELECT host FROM appointment) AND club = $1 AND",
            ),
            ProfileBeforeTheUpdate
            | StaleProfile
            | PaddedIds
            | UnknownIdIsAFault
            | FaultAsAnEmptyList
            | HealthyWithoutAsking => STATEMENTS,
        }
    }
}

/// The calendar, perhaps with a mistake in its code.
#[derive(Clone)]
pub(super) struct Flawed {
    app: Calendar,
    flaw: Option<Flaw>,
    profiles: Arc<Mutex<HashMap<UserId, Profile>>>,
}

impl Flawed {
    pub(super) fn new(app: Calendar, flaw: Option<Flaw>) -> Self {
        Self { app, flaw, profiles: Arc::default() }
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }
}

#[async_trait]
impl Health for Flawed {
    async fn check(&self) -> Result<(), StorageError> {
        if self.has(HealthyWithoutAsking) { Ok(()) } else { self.app.check().await }
    }
}

#[async_trait]
impl UserStorage for Flawed {
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        if self.has(UnknownIdIsAFault) {
            user.as_str().parse::<i64>().map_err(StorageError::corrupt)?;
        }
        if self.has(PaddedIds) {
            let id = user.as_str().trim_start_matches('0').parse().map_err(StorageError::corrupt)?;
            return self.app.find_profile(&id).await;
        }
        if !self.has(StaleProfile) {
            return self.app.find_profile(user).await;
        }
        if let Some(profile) = self.profiles.lock().unwrap().get(user) {
            return Ok(Some(profile.clone()));
        }
        let found = self.app.find_profile(user).await?;
        self.profiles.lock().unwrap().extend(found.clone().map(|profile| (user.clone(), profile)));
        Ok(found)
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let before = self.app.find_profile(&user.user).await?;
        let after = self.app.update_profile(user, change, now).await?;
        Ok(if self.has(ProfileBeforeTheUpdate) { before } else { after })
    }
}

#[async_trait]
impl FamilyStore for Flawed {
    fn capabilities(&self) -> Capabilities {
        self.app.capabilities()
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let loaded = self.app.load(member, needs).await;
        if self.has(FaultAsAnEmptyList) { Ok(loaded.unwrap_or_default()) } else { loaded }
    }
}

/// Returns the cases that fail.
async fn failing(flaw: Flaw) -> Vec<&'static str> {
    let mut installed = Arc::new(Installed::new(Some(flaw)).await);
    let mut failing = Vec::new();
    let kept = installed.app.capabilities();
    for case in storage_cases().into_iter().filter(|case| case.left_out(&kept).is_none()) {
        let (name, subject) = (case.name(), Arc::clone(&installed));
        if spawn_local(async move { case.run(&*subject).await }).await.is_err() {
            failing.push(name);
        }
        if installed.app.pool.is_closed() {
            installed = Arc::new(Installed::new(Some(flaw)).await);
        }
        installed.empty().await;
        installed.host.profiles.lock().unwrap().clear();
    }
    failing
}

family_api_testing::postgres_tests! {
    async fn each_flaw_turns_a_case_red() {
        let mut wrong = Vec::new();
        for (flaw, case) in FOUND {
            let failing = LocalSet::new().run_until(failing(*flaw)).await;
            if !failing.contains(case) {
                wrong.push((flaw, case, failing));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

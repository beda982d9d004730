//! Generates the next step. Most steps use records that exist and that the member can see.

use std::fmt::Debug;
use std::sync::Arc;

use family_api_core::change::ProfileChange;
use family_api_core::id::{CategoryId, ColumnId, KeyId, ListId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::{RecordKind, TaskFilter};
use family_api_core::storage::{ColumnRecord, KeyCondition, Member, NewKey, Password, Record, TaskRecord};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::change::{
    container_update, event_update, item_update, new_container, new_event, new_item, new_note, new_task, note_update,
    task_update,
};
use super::id::{CATEGORIES, COLUMNS, IDS, KEYS, LISTS, USERS, typed};
use super::instant::{expiry, instant, instant_near, periods, range, wait, zone};
use super::occurrence::occurrence_write;
use super::record::{record, record_of};
use super::secret::{password, scopes, token};
use super::text::{email, text};
use crate::model::{Model, key_of, mode_of};
use crate::state::State;
use crate::step::{Action, IfMatch, NewSession, Operation, Step, Token, Write};

/// A generator of operations of one kind, such as reads.
type Generate = fn(&Arc<State>) -> BoxedStrategy<Operation>;

/// Selects the kind of the operation first, because building the strategies of all kinds would take most of the time.
pub(crate) fn next(state: &State) -> BoxedStrategy<Step> {
    let now = state.now;
    let state = Arc::new(state.clone());
    let generate = prop_oneof![
        4 => Just(read_operation as Generate),
        6 => Just(write_operation as Generate),
        3 => Just(key_operation as Generate),
        2 => Just(user_operation as Generate),
        2 => Just(sign_in_operation as Generate),
        1 => Just(load_operation as Generate),
    ];
    let operation = generate.prop_flat_map(move |generate| generate(&state));
    (wait(), operation)
        .prop_map(move |(wait, mut operation)| {
            let at = now.saturating_add(wait);
            if let Operation::InsertKey(new, _) = &mut operation {
                new.key.created_at = at;
            }
            Step { at, operation }
        })
        .boxed()
}

/// Generates a load of only valid records, or of any records, or of a row of tasks.
fn load_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let model = state.model.clone();
    if !model.columns.is_empty() && !model.tasks.iter().any(is_in_row) {
        let row = (select(model.columns.clone()), 0_i64..4).prop_map(|(column, first)| row(&column, first));
        return prop_oneof![2 => loaded_records(model), 1 => row.prop_map(Operation::Load)].boxed();
    }
    loaded_records(model)
}

fn loaded_records(model: Model) -> BoxedStrategy<Operation> {
    (vec(record(), 1..6), any::<bool>())
        .prop_map(move |(mut records, only_valid)| {
            let mut model = model.clone();
            records.retain(|record| model.insert_if_valid(record) || !only_valid);
            Operation::Load(records)
        })
        .boxed()
}

/// The number of tasks in a row. A move into it makes gaps.
const ROW: i64 = 70;

/// Returns tasks of a column whose orders have no gap.
fn row(column: &ColumnRecord, first: i64) -> Vec<Record> {
    let task = |number: i64| {
        json!({
            "type": "task", "id": format!("row-{number}"), "familyId": column.family_id, "columnId": column.id,
            "title": "t", "description": null, "priority": "LOW", "dueDate": null, "completedAt": null,
            "order": first + number, "labels": [], "isPrivate": false, "assigneeId": null, "creatorId": null,
            "createdAt": column.created_at, "updatedAt": column.created_at,
        })
    };
    (0..ROW).map(|number| record_of(task(number))).collect()
}

fn is_in_row(task: &TaskRecord) -> bool {
    task.id.as_str().starts_with("row-")
}

/// Generates one of the existing values in most cases, otherwise a value of `any`.
fn pick<T: Clone + Debug + 'static>(existing: Vec<T>, any: impl Strategy<Value = T> + 'static) -> BoxedStrategy<T> {
    if existing.is_empty() { any.boxed() } else { prop_oneof![7 => select(existing), 1 => any].boxed() }
}

fn member(model: &Model) -> BoxedStrategy<Member> {
    let missing_member = (typed(USERS), typed(1)).prop_map(|(user, family)| Member { user, family });
    match model.members() {
        members if members.is_empty() => missing_member.boxed(),
        members => select(members).boxed(),
    }
}

/// Generates a member and the id of a record. Most records are visible to the member.
pub(super) fn member_and_record<R: Clone + 'static, I: Clone + Debug + 'static>(
    model: &Model,
    records: &[R],
    visible_id: impl Fn(&Member, &R) -> Option<I>,
    any: impl Strategy<Value = I> + 'static,
) -> BoxedStrategy<(Member, I)> {
    let of_member = |member: Member| {
        let ids = records.iter().filter_map(|record| visible_id(&member, record));
        ids.map(|id| (member.clone(), id)).collect::<Vec<_>>()
    };
    pick(model.members().into_iter().flat_map(of_member).collect(), (member(model), any))
}

fn read_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let filter = select(&[TaskFilter::Open, TaskFilter::Done, TaskFilter::All][..]);
    let member = || member(&state.model);
    prop_oneof![
        2 => (member(), filter).prop_map(|(member, filter)| Operation::ListTasks(member, filter)),
        2 => (member(), range()).prop_map(|(member, range)| Operation::ListEvents(member, range)),
        2 => (member(), instant(), instant())
            .prop_map(|(member, start, end)| Operation::ListOverlappingEvents(member, start..end)),
        1 => member().prop_map(Operation::ListMembers),
        2 => member().prop_map(Operation::ListShopping),
        1 => member().prop_map(Operation::ListNotes),
        3 => (member(), periods(state.now)).prop_map(|(member, periods)| Operation::FindTaskStats(member, periods)),
    ]
    .boxed()
}

fn write_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let state = state.clone();
    let kind = prop_oneof![
        8 => Just(RecordKind::Task),
        12 => select(vec![RecordKind::Note, RecordKind::Event, RecordKind::ShoppingItem]),
        7 => select(vec![RecordKind::Board, RecordKind::Column, RecordKind::ShoppingList, RecordKind::NoteCategory]),
    ];
    let write = kind.prop_flat_map({
        let state = state.clone();
        move |kind| write_of(&state.model, kind)
    });
    let of_items = (member(&state.model), lists(&state.model))
        .prop_map(|(member, list)| Operation::DeleteCheckedItems(member, list));
    let of_occurrences = occurrence_write(&state.model);
    prop_oneof![27 => write, 4 => of_occurrences, 1 => of_items].boxed()
}

fn write_of(model: &Model, kind: RecordKind) -> BoxedStrategy<Operation> {
    if kind.is_restorable() {
        let restoration = restoration(model, kind);
        prop_oneof![3 => creation(model, kind), 6 => update(model, kind), 2 => deletion(model, kind), 2 => restoration]
            .boxed()
    } else {
        prop_oneof![2 => creation(model, kind), 2 => update(model, kind), 3 => deletion(model, kind)].boxed()
    }
}

/// Generates a creation, or repeats an earlier creation.
fn creation(model: &Model, kind: RecordKind) -> BoxedStrategy<Operation> {
    let id = format!("n{}", model.writes + model.deleted.len());
    let body = match kind {
        RecordKind::Task => new_task(columns(model), user(model)),
        RecordKind::Note => new_note(categories(model)),
        RecordKind::Event => new_event(user(model)),
        RecordKind::ShoppingItem => new_item(),
        kind => new_container(kind),
    };
    let existing: Option<Vec<String>> = match kind {
        RecordKind::ShoppingItem => Some(model.lists.iter().map(|list| list.id.to_string()).collect()),
        RecordKind::Column => Some(model.boards.iter().map(|board| board.id.to_string()).collect()),
        _ => None,
    };
    let container = match existing {
        Some(existing) => pick(existing, Just("none".to_owned())).prop_map(Some).boxed(),
        None => Just(None).boxed(),
    };
    let earlier: Vec<_> = model.answers.iter().filter(|answer| answer.kind == kind).cloned().collect();
    let repeated = earlier.into_iter().map(|answer| (answer.member, answer.container, answer.body, Some(answer.key)));
    let key = option::weighted(0.7, select(&["k", "k", "k", "K"][..]));
    let creation = pick_half(repeated.collect(), (member(model), container, body, key));
    (creation, zone())
        .prop_map(move |((member, container, body, key), zone)| {
            let action = Action::Create { container, body, key };
            Operation::Write(member, kind, Write { id: id.clone(), action, zone })
        })
        .boxed()
}

/// Generates one of the existing values in half of the cases, otherwise a value of `any`.
fn pick_half<T: Clone + Debug + 'static>(
    existing: Vec<T>,
    any: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    if existing.is_empty() { any.boxed() } else { prop_oneof![select(existing), any].boxed() }
}

fn update(model: &Model, kind: RecordKind) -> BoxedStrategy<Operation> {
    let body = match kind {
        RecordKind::Task => task_update(columns(model), user(model)).boxed(),
        RecordKind::Note => note_update(categories(model)).boxed(),
        RecordKind::Event => event_update(user(model)),
        RecordKind::ShoppingItem => item_update(lists(model)),
        kind => container_update(kind),
    };
    (stored_record(model, kind), body, if_match(), zone())
        .prop_map(move |((member, id), body, if_match, zone)| {
            Operation::Write(member, kind, Write { id, action: Action::Update(body, if_match), zone })
        })
        .boxed()
}

fn deletion(model: &Model, kind: RecordKind) -> BoxedStrategy<Operation> {
    (stored_record(model, kind), if_match(), zone())
        .prop_map(move |((member, id), if_match, zone)| {
            Operation::Write(member, kind, Write { id, action: Action::Delete(if_match), zone })
        })
        .boxed()
}

fn restoration(model: &Model, kind: RecordKind) -> BoxedStrategy<Operation> {
    let deleted: Vec<_> = model.deleted.iter().filter(|record| key_of(record).0 == kind).cloned().collect();
    let id = |member: &Member, record: &Record| {
        let (_, id, family) = key_of(record);
        (*family == member.family).then_some(id)
    };
    let record = member_and_record(model, &deleted, id, any_id());
    (record, zone())
        .prop_map(move |((member, id), zone)| {
            Operation::Write(member, kind, Write { id, action: Action::Restore, zone })
        })
        .boxed()
}

/// Generates a member and the id of a record of a kind.
fn stored_record(model: &Model, kind: RecordKind) -> BoxedStrategy<(Member, String)> {
    let records: Vec<_> = model.records().filter(|record| key_of(record).0 == kind).collect();
    let visible_id = |member: &Member, record: &Record| model.can_see_record(member, record).then(|| key_of(record).1);
    member_and_record(model, &records, visible_id, any_id())
}

pub(super) fn any_id() -> impl Strategy<Value = String> + 'static {
    select(&IDS[..]).prop_map(str::to_owned)
}

fn columns(model: &Model) -> BoxedStrategy<ColumnId> {
    pick(model.columns.iter().map(|column| column.id.clone()).collect(), typed(COLUMNS))
}

fn lists(model: &Model) -> BoxedStrategy<ListId> {
    pick(model.lists.iter().map(|list| list.id.clone()).collect(), typed(LISTS))
}

fn categories(model: &Model) -> BoxedStrategy<CategoryId> {
    pick(model.categories.iter().map(|category| category.id.clone()).collect(), typed(CATEGORIES))
}

pub(super) fn if_match() -> impl Strategy<Value = IfMatch> {
    select(&[IfMatch::Absent, IfMatch::Absent, IfMatch::Star, IfMatch::Current, IfMatch::Another][..])
}

fn user(model: &Model) -> BoxedStrategy<UserId> {
    pick(model.users.iter().map(|user| user.id.clone()).collect(), typed(USERS))
}

fn key_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let model = &state.model;
    let owned_keys = model.keys.iter().map(|key| (key.user_id.clone(), key.id.clone())).collect();
    let owners = model.keys.iter().map(|key| key.user_id.clone()).collect();
    let tokens: Vec<_> = model.keys.iter().map(|key| key.hint.clone()).collect();
    let used_tokens = vec(pick(tokens.clone(), token()), 0..4).prop_map(deduplicated);
    let limit = select(&[0, 1, 2, 3, 50, 50][..]);
    prop_oneof![
        3 => (new_key(state), limit).prop_map(|(new, limit)| Operation::InsertKey(Box::new(new), limit)),
        2 => pick(tokens, token()).prop_map(|token| Operation::FindKey(Token(token))),
        2 => pick(owners, user(model)).prop_map(Operation::ListKeys),
        2 => (used_tokens, prop_oneof![instant_near(state.now), instant()])
            .prop_map(|(tokens, at)| Operation::RecordUses(tokens, at)),
        1 => pick(owned_keys, (typed(USERS), typed(KEYS))).prop_map(|(user, key)| Operation::RevokeKey(user, key)),
    ]
    .boxed()
}

fn deduplicated(mut tokens: Vec<String>) -> Vec<Token> {
    tokens.sort();
    tokens.dedup();
    tokens.into_iter().map(Token).collect()
}

/// Generates a key with an unused id.
fn new_key(state: &State) -> BoxedStrategy<NewKey> {
    let is_free = |id: &KeyId| state.model.keys.iter().all(|key| key.id != *id);
    let mut ids: Vec<KeyId> = IDS.iter().map(|id| id.parse().unwrap()).filter(is_free).collect();
    ids.push(format!("k{}", state.model.writes).parse().unwrap());
    let conditions = vec![KeyCondition::UserExists, KeyCondition::PersonalApiEnabled, KeyCondition::HostChecked];
    let rest = (scopes(), option::of(text()), token(), option::of(expiry(state.now)), select(conditions));
    let now = state.now;
    (select(ids), user(&state.model), rest)
        .prop_map(move |(id, user, (scopes, name, hint, expires_at, condition))| {
            let user = if condition == KeyCondition::HostChecked { "host-user".parse().unwrap() } else { user };
            let digest = KeyDigest::of(&hint);
            let mode = mode_of(&scopes);
            let key = IntegrationKey { id, mode, scopes, name, hint, created_at: now, expires_at, last_used_at: None };
            NewKey { key, owner: user.into(), digest, condition }
        })
        .boxed()
}

fn user_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let model = &state.model;
    let change = (option::of(any::<bool>()), option::of(zone())).prop_map(|(enabled, zone)| {
        let change = ProfileChange::new();
        let change = match enabled {
            Some(true) => change.enable_personal_api(),
            Some(false) => change.disable_personal_api(),
            None => change,
        };
        zone.into_iter().fold(change, ProfileChange::set_time_zone)
    });
    prop_oneof![
        user(model).prop_map(Operation::FindAccount),
        user(model).prop_map(Operation::FindProfile),
        (user(model), change).prop_map(|(user, change)| Operation::UpdateProfile(user, change)),
    ]
    .boxed()
}

fn sign_in_operation(state: &Arc<State>) -> BoxedStrategy<Operation> {
    let email = || pick(state.model.users.iter().map(|user| user.email.clone()).collect(), email());
    let is_open = |token: &&Token| state.model.sessions.iter().any(|session| session.digest == token.digest());
    let open: Vec<Token> = state.sessions.iter().filter(is_open).cloned().collect();
    let token = || pick(open.clone(), pick(state.sessions.clone(), Just(Token("none".to_owned()))));
    prop_oneof![
        1 => email().prop_map(Operation::FindPassword),
        1 => (user(&state.model), password()).prop_map(|(user, password)| Operation::UpdatePassword(user, password)),
        3 => new_session(state).prop_map(Operation::InsertSession),
        2 => token().prop_map(Operation::FindSession),
        1 => token().prop_map(Operation::DeleteSession),
    ]
    .boxed()
}

/// Generates a session with an unused token.
fn new_session(state: &State) -> BoxedStrategy<NewSession> {
    let token = Token(format!("s{}", state.sessions.len()));
    let verified = state.model.users.iter().filter_map(|user| match &user.password {
        Password::Hashed(hash) => Some((user.id.clone(), hash.clone())),
        Password::None | Password::Plain(_) => None,
    });
    (pick(verified.collect(), (user(&state.model), password())), expiry(state.now))
        .prop_map(move |((user, password), expires_at)| NewSession { token: token.clone(), user, password, expires_at })
        .boxed()
}

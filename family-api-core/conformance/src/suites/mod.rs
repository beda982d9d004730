//! The lists of cases. The compiler reports a case that is in no list as dead code.

/// Generates two items from one list of cases: a function that returns the cases, and a macro that generates one test
/// for each case. A group names what its cases need (`Needs`), and the function that prepares the subject of each case
/// (`after`).
///
/// The caller passes `$` as the first token. The generated macro needs this token to declare its own arguments.
macro_rules! suite {
    (
        $dollar:tt
        $(#[$list_doc:meta])* fn $list:ident() of dyn $Subject:ident;
        $(#[$macro_doc:meta])* macro $test_macro:ident;
        $($group:ident
            $(storing $everything:ident)?
            $(logging $changes:ident)?
            $(needs [$($resource:ident)+])?
            $(keeping [$($kind:ident)+])?
            $(with fields [$($of_field:ident.$field:ident)+])?
            $(supporting [$($of_verb:ident.$verb:ident)+])?
            $(any kind with [$($any:ident)+])?
            $(writing $anything:ident)?
            $(any of [$($of_any:ident.$any_verb:ident)+])?
            $(after $seed:ident)?
        {
            $($case:ident)*
        })*
    ) => {
        $(#[$list_doc])*
        #[must_use]
        pub fn $list() -> Vec<Case<dyn $Subject>> {
            use family_api_core::resource::{RecordKind, ResourceKind, Verb};

            let mut cases = Vec::new();
            $({
                const EVERYTHING: &[&str] = &[$(stringify!($everything))?];
                const CHANGES: &[&str] = &[$(stringify!($changes))?];
                const ANYTHING: &[&str] = &[$(stringify!($anything))?];
                const RESOURCES: &[ResourceKind] = &[$($(ResourceKind::$resource),+)?];
                const KINDS: &[RecordKind] = &[$($(RecordKind::$kind),+)?];
                const OF_ANY_KIND: &[Verb] = &[$($(Verb::$any),+)?];
                const NEEDS: Needs = Needs {
                    everything: !EVERYTHING.is_empty(),
                    changes: !CHANGES.is_empty(),
                    resources: RESOURCES,
                    kinds: KINDS,
                    fields: &[$($((RecordKind::$of_field, stringify!($field))),+)?],
                    operations: &[$($((RecordKind::$of_verb, Verb::$verb)),+)?],
                    of_any_kind: OF_ANY_KIND,
                    any_write: !ANYTHING.is_empty(),
                    any_of: &[$($((RecordKind::$of_any, Verb::$any_verb)),+)?],
                };
                async fn prepare(_subject: &dyn $Subject) {
                    $($seed(_subject).await;)?
                }
                $(cases.push(Case::new(stringify!($case), NEEDS, |subject| {
                    Box::pin(async move {
                        with_names_as_ids!(subject: $Subject);
                        prepare(subject).await;
                        $group::$case(subject).await;
                    })
                }));)*
            })*
            cases
        }

        $(#[$macro_doc])*
        #[macro_export]
        macro_rules! $test_macro {
            // An expression can also start with an attribute, so the attributes are parsed first, one at a time.
            (@ [$dollar($dollar attribute:tt)*] # $dollar next:tt $dollar($dollar rest:tt)+) => {
                $crate::$test_macro! { @ [$dollar($dollar attribute)* # $dollar next] $dollar($dollar rest)+ }
            };
            (@ [$dollar($dollar attribute:tt)*] $dollar subject:expr) => {
                $($(
                    $dollar($dollar attribute)*
                    #[tokio::test]
                    async fn $case() {
                        let subject = $dollar subject;
                        let cases = $crate::$list();
                        let case = cases.iter().find(|case| case.name() == stringify!($case));
                        let case = case.expect("every generated test has a listed case");
                        if let Some(reason) = case.left_out(&$crate::Subject::storage(&subject).capabilities()) {
                            println!("{} is left out: {reason}", case.name());
                        }
                        case.run(&subject).await;
                    }
                )*)*
            };
            ($dollar($dollar input:tt)+) => {
                $crate::$test_macro! { @ [] $dollar($dollar input)+ }
            };
        }
    };
}

/// Replaces the subject of a case for every storage by one that has names as ids, if the host has other ids.
macro_rules! with_names_as_ids {
    ($subject:ident: Subject) => {
        let host_ids = HostIds::of($subject);
        let $subject: &dyn Subject = host_ids.as_ref().map_or($subject, |host_ids| host_ids);
    };
    ($subject:ident: $Other:ident) => {};
}

#[macro_use]
mod accounts;
#[macro_use]
mod reads;
mod optional;
mod storage;

pub use optional::{credentials_cases, feeds_cases, grants_cases, load_cases, update_cases};
pub use storage::storage_cases;

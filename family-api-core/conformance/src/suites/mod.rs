//! The lists of cases. The compiler reports a case that is in no list as dead code.

/// Generates two items from one list of cases: a function that returns the cases, and a macro that generates one test
/// for each case. A group names the resources and kinds of records that its cases need (`Needs`), and the function that
/// prepares the subject of each case (`after`).
///
/// The caller passes `$` as the first token. The generated macro needs this token to declare its own arguments.
macro_rules! suite {
    (
        $dollar:tt
        $(#[$list_doc:meta])* fn $list:ident() of dyn $Subject:ident;
        $(#[$macro_doc:meta])* macro $test_macro:ident;
        $($group:ident $(needs [$($resource:ident)+])? $(with every field of [$($kind:ident)+])? $(after $seed:ident)? {
            $($case:ident)*
        })*
    ) => {
        $(#[$list_doc])*
        #[must_use]
        pub fn $list() -> Vec<Case<dyn $Subject>> {
            let mut cases = Vec::new();
            $({
                const NEEDS: Needs = Needs {
                    resources: &[$($(ResourceKind::$resource),+)?],
                    every_field_of: &[$($(RecordKind::$kind),+)?],
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
                        case.expect("every generated test has a listed case").run(&subject).await;
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

mod optional;
mod storage;

pub use optional::{credentials_cases, grants_cases, load_cases, update_cases};
pub use storage::storage_cases;

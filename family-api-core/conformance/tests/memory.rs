//! Runs the conformance suite on the storage in memory.

use family_api_memory::MemoryStorage;

use crate::subject::Stored;

fn subject() -> Stored<MemoryStorage, ()> {
    Stored { storage: MemoryStorage::new(), place: () }
}

family_api_conformance::storage_conformance!(subject());
family_api_conformance::load_conformance!(subject());
family_api_conformance::credentials_conformance!(subject());
family_api_conformance::grants_conformance!(subject());
family_api_conformance::feeds_conformance!(subject());

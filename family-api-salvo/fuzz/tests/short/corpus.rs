//! Reads the committed corpus.

use std::fs;
use std::path::PathBuf;

/// The committed inputs of a target.
pub(crate) struct Corpus {
    /// The name and contents of each file.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Corpus {
    pub(crate) fn of(target: &str) -> Self {
        let folder = folder("corpus").join(target);
        let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
        let files: Vec<_> = entries(&folder).into_iter().map(read).collect();
        assert!(!files.is_empty(), "{target} has no corpus");
        Self { files }
    }
}

/// Returns the names of the entries, without the extension `.rs`, in a folder of this package.
pub(crate) fn names_in(folder_name: &str) -> Vec<String> {
    entries(&folder(folder_name)).into_iter().map(|name| name.trim_end_matches(".rs").to_owned()).collect()
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn entries(folder: &PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

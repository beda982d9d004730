//! An embedded storage in one SQLite file.

//! A typed client of a family integration API.

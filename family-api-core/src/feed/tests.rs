//! Tests of whole documents.

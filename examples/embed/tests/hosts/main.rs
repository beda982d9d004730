//! Apps with other tables than the example, each with the whole conformance suite, and with flaws that turn it red.

mod flat;

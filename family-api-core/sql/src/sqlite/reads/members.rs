//! The statement of the members of a family.

use std::sync::LazyLock;

use family_api_core::resource::Person;

use crate::sqlite::json_sql::Object;

pub(super) static LIST: LazyLock<[String; 1]> = LazyLock::new(|| {
    let person = Object::of::<Person>("u").columns();
    [format!("SELECT {person} FROM users u WHERE u.family_id = ?1 ORDER BY u.id")]
});

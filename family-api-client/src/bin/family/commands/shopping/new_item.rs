//! Items in arguments: `milk`, `bread x2`, `2 l milk`.

use std::convert::Infallible;
use std::str::FromStr;

/// Words after a number that make it a quantity, in lower case and in the singular.
const UNITS: [&str; 23] = [
    "g", "kg", "mg", "ml", "cl", "dl", "l", "oz", "lb", "gram", "kilo", "liter", "litre", "pound", "pack", "packet",
    "bag", "bottle", "box", "can", "tin", "jar", "dozen",
];

/// An item in an argument. The quantity is split off the name if it is the first or last part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewItem {
    pub(super) text: String,
    pub(super) name: String,
    pub(super) quantity: Option<String>,
}

impl FromStr for NewItem {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let item = |name: &[&str], quantity: String| Self {
            text: text.to_owned(),
            name: without_of(name).join(" "),
            quantity: Some(quantity),
        };
        let split = match words.as_slice() {
            [name @ .., number, unit] | [number, unit, name @ ..] if !name.is_empty() && is_amount(number, unit) => {
                Some(item(name, format!("{number} {unit}")))
            }
            [name @ .., last] if !name.is_empty() && quantity(last).is_some() => {
                quantity(last).map(|last| item(name, last))
            }
            [first, name @ ..] if !name.is_empty() => quantity(first).map(|first| item(name, first)),
            _ => None,
        };
        Ok(split.unwrap_or_else(|| Self { text: text.to_owned(), name: text.to_owned(), quantity: None }))
    }
}

/// Removes the first word of `of potatoes`, as in `2 bags of potatoes`.
fn without_of<'a>(name: &'a [&'a str]) -> &'a [&'a str] {
    match name {
        [of, rest @ ..] if of.eq_ignore_ascii_case("of") && !rest.is_empty() => rest,
        _ => name,
    }
}

/// Returns whether the words are an amount, such as `2 l` or `1.5 kg`.
fn is_amount(number: &str, unit: &str) -> bool {
    is_number(number) && is_unit(unit)
}

/// Returns the quantity of one word: `2` for `x2`, `2x` or `×2`, and `500g` for `500g`.
fn quantity(word: &str) -> Option<String> {
    const TIMES: [char; 3] = ['x', 'X', '×'];
    let count = word.strip_prefix(TIMES).or_else(|| word.strip_suffix(TIMES));
    if let Some(count) = count.filter(|count| is_count(count)) {
        return Some(count.to_owned());
    }
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
    let number = &word[..word.len() - unit.len()];
    is_amount(number, unit).then(|| word.to_owned())
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    is_count(whole) && is_count(fraction)
}

fn is_unit(word: &str) -> bool {
    let word = word.to_lowercase();
    let is_one = |word: &str| UNITS.contains(&word);
    is_one(&word) || word.strip_suffix('s').is_some_and(is_one) || word.strip_suffix("es").is_some_and(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_before_or_after_the_name_is_split_off() {
        for (text, name, quantity) in [
            ("milk", "milk", None),
            ("bread x2", "bread", Some("2")),
            ("bread 2x", "bread", Some("2")),
            ("2x bread", "bread", Some("2")),
            ("x2 bread", "bread", Some("2")),
            ("oat milk  X12 ", "oat milk", Some("12")),
            ("eggs ×6", "eggs", Some("6")),
            ("2 l milk", "milk", Some("2 l")),
            ("oat milk 1.5 Liters", "oat milk", Some("1.5 Liters")),
            ("500g flour", "flour", Some("500g")),
            ("flour 1,5kg", "flour", Some("1,5kg")),
            ("3 bags potatoes", "potatoes", Some("3 bags")),
            ("2 boxes rice", "rice", Some("2 boxes")),
            ("2 bags of potatoes", "potatoes", Some("2 bags")),
        ] {
            let item: NewItem = text.parse().unwrap();
            assert_eq!((item.name.as_str(), item.quantity.as_deref()), (name, quantity), "{text:?}");
        }
    }

    #[test]
    fn any_other_text_is_the_name() {
        for text in [
            "x2",
            " x2",
            "2 l",
            "2 l ",
            "size x",
            "vitamin xd",
            "7 up",
            "1.5. l milk",
            "aa batteries 4",
            "g milk",
            "",
            "l 2 milk",
            "é2x tea",
            "cola 0,3",
            "2 ls",
            "500g",
            "xx2 tea",
        ] {
            let item: NewItem = text.parse().unwrap();
            assert_eq!((item.name.as_str(), item.quantity), (text, None), "{text:?}");
        }
    }
}

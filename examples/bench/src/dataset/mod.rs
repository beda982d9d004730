//! Generates families in the import format. The number of a family is its random seed, so all runs generate equal data.

mod events_lists_notes;
mod generate;
#[cfg(test)]
pub(crate) mod imported;
mod largest;
mod people;
mod tasks;
mod token;

use std::io::{self, Write};

use generate::Generator;
pub(crate) use largest::{LARGEST_COLUMN, LARGEST_FAMILY, largest_task};
pub(crate) use token::token;

/// The number of the family whose reads are measured.
pub(crate) const MEASURED_FAMILY: u32 = 0;

/// Numbers of records of a family.
struct Size {
    members: u16,
    /// The first members have one key each.
    keys: u16,
    categories: u16,
    boards: u16,
    columns: u16,
    open_tasks: u16,
    done_tasks: u16,
    events: u16,
    lists: u16,
    items: u16,
    notes: u16,
}

const MEASURED_SIZE: Size = Size {
    members: 5,
    keys: 2,
    categories: 5,
    boards: 2,
    columns: 4,
    open_tasks: 100,
    done_tasks: 40,
    events: 60,
    lists: 3,
    items: 20,
    notes: 50,
};

/// About a tenth of the measured family.
const MEDIUM_SIZE: Size = Size {
    members: 2,
    keys: 2,
    categories: 1,
    boards: 1,
    columns: 3,
    open_tasks: 10,
    done_tasks: 4,
    events: 6,
    lists: 1,
    items: 6,
    notes: 5,
};

/// 12 records: the family, two members with their keys, and a board with two columns and four tasks.
const SMALL_SIZE: Size = Size {
    members: 2,
    keys: 2,
    categories: 0,
    boards: 1,
    columns: 2,
    open_tasks: 4,
    done_tasks: 0,
    events: 0,
    lists: 0,
    items: 0,
    notes: 0,
};

/// As many open tasks as the measured family, and three members with keys. Each has a document of about 82 KB.
const LARGE_SIZE: Size = Size {
    members: 3,
    keys: 3,
    categories: 0,
    boards: 2,
    columns: 4,
    open_tasks: 100,
    done_tasks: 0,
    events: 0,
    lists: 0,
    items: 0,
    notes: 0,
};

/// The families besides the measured one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Others {
    /// The number of families with about a tenth of the measured family's records.
    Medium(u32),
    /// The number of families with 12 records.
    Small(u32),
    /// The number of families with the measured family's open tasks, and three members with keys.
    Large(u32),
    /// One family with the largest document that the API permits.
    Largest,
}

/// Writes the measured family and the other families. Returns the number of records.
pub(crate) fn write(out: &mut impl Write, others: Others) -> io::Result<u64> {
    let measured = write_family(out, MEASURED_FAMILY, &MEASURED_SIZE)?;
    let (count, size) = match others {
        Others::Medium(count) => (count, &MEDIUM_SIZE),
        Others::Small(count) => (count, &SMALL_SIZE),
        Others::Large(count) => (count, &LARGE_SIZE),
        Others::Largest => return Ok(measured + write_largest_family(out)?),
    };
    (MEASURED_FAMILY + 1..=count).try_fold(measured, |written, number| Ok(written + write_family(out, number, size)?))
}

fn write_largest_family(out: &mut impl Write) -> io::Result<u64> {
    let mut family = Family::new(out, LARGEST_FAMILY, &SMALL_SIZE);
    family.write_people()?;
    family.write_largest_column()?;
    Ok(family.lines.written)
}

fn write_family(out: &mut impl Write, number: u32, size: &Size) -> io::Result<u64> {
    let mut family = Family::new(out, number, size);
    family.write_people()?;
    family.write_tasks()?;
    family.write_events_lists_and_notes()?;
    Ok(family.lines.written)
}

/// A family that is written.
struct Family<'a, W> {
    id: String,
    /// The ids of the members.
    members: Vec<String>,
    size: &'a Size,
    random: Generator,
    lines: Lines<'a, W>,
}

impl<'a, W: Write> Family<'a, W> {
    fn new(out: &'a mut W, number: u32, size: &'a Size) -> Self {
        let mut random = Generator::new(number);
        Self { id: random.id(), members: vec![], size, random, lines: Lines { out, written: 0 } }
    }
}

/// Writes records as JSON Lines and counts them.
struct Lines<'a, W> {
    out: &'a mut W,
    written: u64,
}

impl<W: Write> Lines<'_, W> {
    fn push(&mut self, record: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, record)?;
        self.written += 1;
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::{Record, TEXT_BLOCK};

    use super::*;

    #[test]
    fn every_line_is_a_record_and_all_runs_write_the_same_lines() {
        let (mut once, mut again) = (vec![], vec![]);
        let count = write(&mut once, Others::Medium(3)).unwrap();
        write(&mut again, Others::Medium(3)).unwrap();
        assert!(once == again);
        let lines: Vec<&[u8]> = once.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len() as u64, count);
        for line in lines {
            Record::from_json(line).unwrap_or_else(|fault| panic!("{fault}: {}", String::from_utf8_lossy(line)));
        }
    }

    #[test]
    fn a_family_does_not_depend_on_the_number_of_families() {
        let (mut few, mut many) = (vec![], vec![]);
        write(&mut few, Others::Medium(1)).unwrap();
        write(&mut many, Others::Medium(2)).unwrap();
        assert!(many.starts_with(&few));
    }

    #[test]
    fn the_largest_family_has_20_000_tasks_that_count_once() {
        let mut lines = vec![];
        assert_eq!(
            write(&mut lines, Others::Largest).unwrap() - write(&mut io::sink(), Others::Small(0)).unwrap(),
            20_007
        );
        let last = lines.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty()).unwrap();
        assert!(Record::from_json(last).is_ok());
        let task: serde_json::Value = serde_json::from_slice(last).unwrap();
        let texts = ["title", "description", "labels"].map(|field| task[field].to_string().len());
        assert_eq!(texts.iter().sum::<usize>(), TEXT_BLOCK - 1);
    }

    #[test]
    fn families_have_the_records_of_their_size() {
        let count = |others| write(&mut io::sink(), others).unwrap();
        let measured = count(Others::Small(0));
        let medium = count(Others::Medium(1)) - measured;
        assert!((8..=12).contains(&(measured / medium)), "{measured} and {medium}");
        assert_eq!(count(Others::Small(3)) - measured, 36);
    }
}

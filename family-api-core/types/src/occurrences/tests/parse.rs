use super::super::{MAX_RECURRENCE_LENGTH, Recurrence};

#[test]
fn rules_of_the_field_recurrence_parse() {
    for good in [
        "FREQ=WEEKLY;BYDAY=MO",
        "RRULE:FREQ=WEEKLY;BYDAY=MO;",
        "freq=monthly;byday=-1su",
        "FREQ=DAILY;BYHOUR=9,17;BYSETPOS=-1",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;WKST=SU",
        "FREQ=DAILY;UNTIL=20261130",
        "FREQ=DAILY;UNTIL=20261130T183000",
        "FREQ=DAILY;UNTIL=20261130T163000Z",
        "RRULE:FREQ=DAILY\r\nEXDATE;VALUE=DATE:20261124,\r\n 20261125\r\nRDATE:20261201T183000Z\r\n",
        "rrule:FREQ=DAILY\nexdate;tzid=Europe/Kyiv:20261124T183000\nRdate;Value=date:20261201",
        "EXDATE;TZID=\"Europe/Kyiv\":20261124T183000\nRRULE:FREQ=DAILY",
    ] {
        assert!(Recurrence::parse(good).unwrap().check_satisfiable().is_ok(), "{good}");
    }
}

#[test]
fn a_refusal_says_what_is_expected() {
    for (bad, expected) in [
        ("", "expected an RRULE value of parts"),
        ("every Monday", "expected an RRULE value of parts"),
        ("BYDAY=MO", "expected FREQ to be DAILY"),
        ("FREQ=HOURLY", "use FREQ=DAILY and BYHOUR"),
        ("FREQ=DAILY;FREQ=DAILY", "each part of the RRULE only once"),
        ("FREQ=DAILY;X-COLOUR=RED", "only the parts of an RRULE"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL to be from 1 to 10000"),
        ("FREQ=DAILY;COUNT=0", "COUNT to be from 1 to 10000"),
        ("FREQ=DAILY;COUNT=99999999999999999999", "COUNT to be from 1 to 10000"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20261130", "either COUNT or UNTIL"),
        ("FREQ=DAILY;UNTIL=2026-11-30", "UNTIL to be a date"),
        ("FREQ=DAILY;UNTIL=20260230", "UNTIL to be a date"),
        ("FREQ=DAILY;UNTIL=20261130T2530é0", "UNTIL to be a date"),
        ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY without numbers"),
        ("FREQ=WEEKLY;BYDAY=é", "BYDAY to have days such as MO"),
        ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY to have days such as MO"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY to have numbers from 1 to 31 or from -31 to -1"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,,2", "BYMONTHDAY to have numbers"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "no BYMONTHDAY with FREQ=WEEKLY"),
        ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO only with FREQ=YEARLY"),
        ("FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY only with FREQ=YEARLY"),
        ("FREQ=DAILY;BYSECOND=60", "BYSECOND to have numbers from 0 to 59"),
        ("FREQ=DAILY;BYHOUR=0,1,2,3,4;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19", "at most 96 times"),
        ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS only beside another part"),
        ("FREQ=DAILY\nFREQ=DAILY", "one RRULE"),
        ("FREQ=DAILY\nDTSTART:20261130T000000Z", "an event starts at its startDate"),
        ("FREQ=DAILY\nEXRULE:FREQ=DAILY", "only EXDATE and RDATE"),
        ("FREQ=DAILY\nEXDATE:tomorrow", "EXDATE and RDATE to have dates"),
        ("FREQ=DAILY\nEXDATE;TZID=Mars:20261130T000000", "an IANA time zone"),
        ("FREQ=DAILY\nRDATE;VALUE=PERIOD:20261130T000000Z/PT1H", "VALUE as DATE or DATE-TIME"),
        ("EXDATE:20261130", "an RRULE, such as"),
        (&format!("FREQ=DAILY;BYDAY={}MO", "MO,".repeat(MAX_RECURRENCE_LENGTH)), "at most 4096 bytes"),
    ] {
        let message = Recurrence::parse(bad).unwrap_err().to_string();
        assert!(message.starts_with("expected ") && message.contains(expected), "{bad}: {message}");
    }
}

#[test]
fn a_rule_that_never_matches_parses_but_is_not_satisfiable() {
    for bad in [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30",
        "FREQ=YEARLY;BYDAY=MO;BYWEEKNO=10;BYMONTH=9",
        "FREQ=MONTHLY;BYDAY=-1MO;BYMONTHDAY=1",
        "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3",
        "FREQ=DAILY;BYHOUR=9,17;BYSETPOS=3",
    ] {
        let message = Recurrence::parse(bad).unwrap().check_satisfiable().unwrap_err().to_string();
        assert_eq!(message, "expected a rule that matches at least one day", "{bad}");
    }
}

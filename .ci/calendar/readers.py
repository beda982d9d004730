#!/usr/bin/env python3
"""Reads calendar feeds with a Python library, and prints the occurrences that it computes.

Usage: readers.py LIBRARY, where LIBRARY is `ical` or `recurring-ical-events`. The lines of the input are the answers of
the example `feeds` of family-api-core. Each line of the output is a list of the form of its `occurrences`.
"""

import json
import sys
import zoneinfo
from datetime import date, datetime, timedelta, timezone

# Ignores the zones of the machine. They can be older than the package tzdata.
zoneinfo.reset_tzpath([])

UTC = timezone.utc
DAY = timedelta(days=1)


def moment(value):
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat()


def read_ical(text, first, last):
    """The parser of Home Assistant, which refuses what RFC 5545 forbids."""
    from ical.calendar_stream import IcsCalendarStream

    calendar = IcsCalendarStream.calendar_from_ics(text)
    begin, end = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in (first - DAY, last + 2 * DAY))
    for event in calendar.timeline_tz(UTC).overlapping(begin, end):
        yield event.summary, event.start, event.end


def read_icalendar(text, first, last):
    import icalendar
    import recurring_ical_events

    calendar = icalendar.Calendar.from_ical(text)
    assert not calendar.errors and not any(event.errors for event in calendar.walk()), calendar.errors
    for event in recurring_ical_events.of(calendar).between(first - DAY, last + 2 * DAY):
        start = event["DTSTART"].dt
        yield str(event["SUMMARY"]), start, event["DTEND"].dt if "DTEND" in event else start


READERS = {"ical": read_ical, "recurring-ical-events": read_icalendar}


def read(reader, line):
    case = json.loads(line)
    first, last = date.fromisoformat(case["first"]), date.fromisoformat(case["last"])
    found = []
    try:
        for title, start, end in reader(case["ics"], first, last):
            day = start.astimezone(UTC).date() if isinstance(start, datetime) else start
            if first <= day <= last:
                found.append((title, moment(start), moment(end)))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:2000]}
    return sorted(found)


def main():
    reader = READERS[sys.argv[1]]
    for line in sys.stdin:
        print(json.dumps(read(reader, line)), flush=True)


if __name__ == "__main__":
    main()

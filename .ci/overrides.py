#!/usr/bin/env python3
"""Compares the expansion of recurring events that have changed and skipped occurrences with recurring-ical-events.

Usage: overrides.py PROGRAM, where PROGRAM is the built example `occurrences` of family-api-core. Requires the packages
recurring-ical-events and tzdata. Each case is an event with EXDATE and with overrides, and the calendar that RFC 5545
writes for it: the overrides are components with RECURRENCE-ID. No event starts at night, because occurrences.py
compares the times that a clock skips or repeats.
"""

import collections
import json
import random
import subprocess
import sys
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

# Ignores the zones of the machine. They can be older than the package tzdata.
zoneinfo.reset_tzpath([])

CASES = 2_000
SEED = 20261127
UTC = timezone.utc
DAY = timedelta(days=1)
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "Africa/Cairo"]
READERS = ["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe"]


def random_rule(rng):
    freq = rng.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY"])
    rule = f"FREQ={freq}"
    if rng.random() < 0.4:
        rule += f";INTERVAL={rng.randint(2, 3)}"
    if freq == "WEEKLY" and rng.random() < 0.5:
        rule += f";BYDAY={','.join(sorted(rng.sample(WEEKDAYS, rng.randint(1, 3))))}"
    if freq == "MONTHLY" and rng.random() < 0.5:
        rule += f";BYDAY={rng.choice([1, 2, -1])}{rng.choice(WEEKDAYS)}"
    if rng.random() < 0.3:
        rule += f";COUNT={rng.randint(2, 60)}"
    return rule


def random_time(rng):
    return time(rng.randint(5, 22), rng.choice([0, 15, 30, 45]))


def random_case(rng):
    """The start and length of the event are local. Of an all-day event they are days."""
    rule, all_day = random_rule(rng), rng.random() < 0.3
    day = date(rng.randint(2020, 2024), rng.randint(1, 12), rng.randint(1, 28))
    clock = time() if all_day else random_time(rng)
    # A rule that does not make the start of its event is left out: RFC 5545 does not say what it means.
    of_rule = iter(rrulestr(rule, dtstart=datetime.combine(day, clock)))
    starts = [start for start, _ in zip(of_rule, range(80))]
    name = rng.choice(ZONES)
    exceptions = rng.sample(starts, min(len(starts), rng.randint(0, 6)))
    skipped = exceptions[: len(exceptions) // 2]
    overrides = {}
    for number, key in enumerate(exceptions[len(skipped):], start=1):
        start = datetime.combine((key + rng.randint(-3, 3) * DAY).date(), clock if all_day else random_time(rng))
        # Its length tells an override from all others.
        overrides[key] = (start, (number + 1) * DAY if all_day else timedelta(minutes=7 * number))
    first = rng.choice(exceptions or starts).date() - rng.randint(0, 20) * DAY
    return {
        "rule": rule, "all_day": all_day, "zone": name, "reader": name if all_day else rng.choice(READERS),
        "start": starts[0], "length": DAY if all_day else timedelta(minutes=rng.choice([0, 45, 60])),
        "skipped": skipped, "overrides": overrides, "first": first, "last": first + rng.choice([6, 30, 365]) * DAY,
    }


def instant(case, local):
    zone = zoneinfo.ZoneInfo(case["zone"])
    at = local.replace(tzinfo=zone).astimezone(UTC)
    # The day starts later if the clock skips midnight.
    while case["all_day"] and at.astimezone(zone).date() < local.date():
        at += timedelta(minutes=30)
    return at


def wire(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def span(case, start, length):
    """An all-day event takes whole days, and a timed one takes an exact time."""
    end = instant(case, start + length) if case["all_day"] else instant(case, start) + length
    return instant(case, start), end


def key_text(case, key, separators):
    text = key.strftime("%Y-%m-%d" if case["all_day"] else "%Y-%m-%dT%H:%M:%S")
    return text if separators else text.replace("-", "").replace(":", "")


def line(case):
    """The event as the program reads it."""
    recurrence = case["rule"]
    if case["skipped"]:
        parameter = ";VALUE=DATE" if case["all_day"] else ""
        recurrence += f"\nEXDATE{parameter}:" + ",".join(key_text(case, key, False) for key in case["skipped"])
    overrides = []
    for key, (start, length) in case["overrides"].items():
        begin, end = map(wire, span(case, start, length))
        overrides.append({"recurrenceId": key_text(case, key, True), "startDate": begin, "endDate": end})
    begin, end = map(wire, span(case, case["start"], case["length"]))
    event = dict.fromkeys(["description", "emoji", "color", "location", "assigneeId", "assignee"])
    event |= {
        "id": "e", "title": "E", "startDate": begin, "endDate": end, "allDay": case["all_day"],
        "timeZone": case["zone"], "recurrence": recurrence, "overrides": overrides,
        "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z",
    }
    return json.dumps({"event": event, "zone": case["reader"], "first": str(case["first"]), "last": str(case["last"])})


def calendar(case):
    """The event as RFC 5545 writes it."""
    zone = zoneinfo.ZoneInfo(case["zone"])
    moment = lambda local: local.date() if case["all_day"] else local.replace(tzinfo=zone)
    end_of = lambda start, length: (
        (start + length).date() if case["all_day"] else (moment(start).astimezone(UTC) + length).astimezone(zone)
    )
    whole = icalendar.Calendar()

    def component(start, length):
        event = icalendar.Event()
        event.add("UID", "e")
        event.add("DTSTART", moment(start))
        event.add("DTEND", end_of(start, length))
        whole.add_component(event)
        return event

    series = component(case["start"], case["length"])
    series.add("RRULE", icalendar.vRecur.from_ical(case["rule"]))
    if case["skipped"]:
        series.add("EXDATE", [moment(key) for key in case["skipped"]])
    for key, (start, length) in case["overrides"].items():
        component(start, length).add("RECURRENCE-ID", moment(key))
    return whole


def expected(case):
    reader = zoneinfo.ZoneInfo(case["reader"])
    begin = datetime.combine(case["first"], time(), reader).astimezone(UTC)
    end = datetime.combine(case["last"] + DAY, time(), reader).astimezone(UTC)
    found = recurring_ical_events.of(calendar(case)).between(begin - 40 * DAY, end + 40 * DAY)
    spans = []
    for event in found:
        start, stop = event["DTSTART"].dt, event["DTEND"].dt
        if case["all_day"]:
            midnight = lambda day: instant(case, datetime.combine(day, time()))
            spans.append((midnight(start), midnight(stop), start <= case["last"] and stop > case["first"]))
        else:
            start, stop = start.astimezone(UTC), stop.astimezone(UTC)
            spans.append((start, stop, start < end and (stop > begin or stop == start == begin)))
    return sorted([wire(start), wire(stop)] for start, stop, is_shown in spans if is_shown)


def main():
    cases = [random_case(random.Random(SEED + number)) for number in range(CASES)]
    text = "\n".join(map(line, cases))
    answers = subprocess.run([sys.argv[1]], input=text, stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(answer) for answer in answers.stdout.splitlines()]
    assert len(answers) == CASES, f"{len(answers)} answers to {CASES} cases"
    tally = collections.Counter()
    differences = []
    for case, answer in zip(cases, answers):
        wanted = expected(case)
        tally["occurrences"] += len(wanted)
        tally["overrides"] += len(case["overrides"])
        tally["skipped"] += len(case["skipped"])
        if sorted(answer) != wanted:
            differences.append((case, wanted, answer))
    for case, wanted, answer in differences[:5]:
        print(f"{line(case)}\n  expected {wanted}\n  answered {answer}")
    print(f"{CASES} events: {dict(tally)}. {len(differences)} differ from recurring-ical-events.")
    # Cases without occurrences would prove little.
    assert tally["occurrences"] > 5 * CASES, "too few occurrences"
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Prints random calendars for the example `feeds` of family-api-core, one JSON object a line.

Usage: generate.py FIRST LAST, the numbers of the calendars. The events are those of ../occurrences.py, around the clock
changes of its zones, with changed occurrences, and with due tasks beside them.
"""

import json
import pathlib
import random
import re
import sys
import zoneinfo
from datetime import date, datetime, time, timedelta

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import occurrences
from occurrences import DAY, resolve, to_local, wire

SEED = 20261128
EVENTS = 20
# The compared days. Half of the zones that change their clocks do so in them.
DAYS = 100
# The window of a feed begins in one of these years. The clock changes after it are at most two years away.
YEARS = range(2025, 2028)
occurrences.YEARS = range(2024, 2030)
occurrences.dateutil.rrule.datetime.MAXYEAR = 2032
WORDS = [
    "Piano", "Зуби", "Müll; Papier, Glas", "a\\b", "tab\there", "ligne 1\nligne 2", "🎹" * 20, "x" * 200, "‮rtl", "e\u0301",
    # Lines are folded at spaces and escapes.
    "Öl, Brot; " * 30 + ".",
]


def text_key(local, all_day):
    return local.strftime("%Y-%m-%d" if all_day else "%Y-%m-%dT%H:%M:%S")


def random_overrides(rng, case, zone):
    """Changes of some occurrences that the rule makes, and sometimes of one that it does not make."""
    own = to_local(zone, case["start"])
    starts = [own, *occurrences.rule_starts(case, own, min(case["last"], own.date() + 900 * DAY))]
    near = [start for start in starts if abs((start.date() - case["first"]).days) < 60] or starts
    keys = rng.sample(near, min(len(near), rng.randint(1, 4)))
    if rng.random() < 0.2:
        keys.append(own + timedelta(days=rng.randint(1, 40), hours=0 if case["all_day"] else 1))
    changes = {}
    for number, key in enumerate(keys):
        moved = key + timedelta(days=rng.choice([0, 0, 1, -1, 9]))
        if case["all_day"]:
            first = datetime.combine(moved.date(), time())
            start, end = resolve(zone, first), resolve(zone, first + rng.randint(1, 3) * DAY)
        else:
            start = resolve(zone, moved) + timedelta(minutes=rng.choice([0, 7, 60]))
            end = start + timedelta(minutes=rng.choice([0, 30, 24 * 60]))
        change = {"recurrenceId": text_key(key, case["all_day"]), "startDate": wire(start), "endDate": wire(end)}
        if rng.random() < 0.5:
            change["title"] = f"changed {number}"
        changes[change["recurrenceId"]] = change
    return sorted(changes.values(), key=lambda change: change["recurrenceId"])


def is_heavy(rule):
    """Whether an event has so many occurrences that reading them takes most of the time."""
    every_day = rule["FREQ"] == "DAILY" and "BYMONTHDAY" not in rule and ("INTERVAL" not in rule or "BYDAY" in rule)
    every_week = rule["FREQ"] == "YEARLY" and "BYMONTH" not in rule and re.fullmatch("[A-Z,]+", rule.get("BYDAY", ""))
    single = rule["FREQ"] == "WEEKLY" and "BYSETPOS" in rule
    return every_day or every_week or single or "BYHOUR" in rule


def moments(first):
    """Returns a function from a zone to its clock changes in the compared days, or else to other moments in them."""
    noons = [datetime.combine(first, time(12), occurrences.UTC) + timedelta(days=days) for days in range(1, DAYS, 9)]
    return lambda name: [at for at in occurrences.clock_changes(name) if noons[0] <= at <= noons[-1]] or noons


def random_event(rng, number, first):
    recurs = rng.random() >= 0.15
    while True:
        case = occurrences.random_case(rng, moments(first))
        if is_heavy(case["rule"]) and rng.random() < 0.95:
            continue
        if recurs or case["start"].date() > first:
            break
    zone = zoneinfo.ZoneInfo(case["zone"])
    event = json.loads(occurrences.line(case))["event"]
    event |= {
        "id": f"event-{number}", "title": f"{number} {rng.choice(WORDS)}",
        "updatedAt": wire(case["start"]), "createdAt": wire(case["start"]),
        "description": rng.choice([None, *WORDS]), "location": rng.choice([None, None, *WORDS]),
    }
    # An event without a zone has that of the user, which the feed chooses.
    event["timeZone"] = case["zone"]
    if not recurs:
        event["recurrence"] = None
    elif rng.random() < 0.4:
        event["overrides"] = random_overrides(rng, case, zone)
    return event


def random_task(rng, number, zone, since):
    day = since + timedelta(days=rng.randint(-20, 300))
    clock = rng.choice([time(), time(), time(9, 30), time(23, 59)])
    absent = ["description", "recurrence", "completedAt", "lastCompletedAt"]
    people = ["assigneeId", "assignee", "creatorId", "creator"]
    return dict.fromkeys(absent + people) | {
        "id": f"task-{number}", "columnId": "c", "title": f"task {number} {rng.choice(WORDS)}", "priority": "HIGH",
        "dueDate": rng.choice([None, *[wire(resolve(zone, datetime.combine(day, clock)))] * 4]),
        "completed": rng.random() < 0.2, "order": 0, "labels": [], "isPrivate": False,
        "createdAt": "2024-01-01T00:00:00Z", "updatedAt": "2024-01-01T00:00:00Z",
    }


def random_feed(rng):
    zone = zoneinfo.ZoneInfo(rng.choice(occurrences.ZONES))
    since = date(rng.choice(YEARS), rng.randint(1, 12), 1)
    first = since + timedelta(days=rng.choice([0, 0, rng.randint(0, 500)]))
    return {
        "events": [random_event(rng, number, first) for number in range(EVENTS)],
        "tasks": [random_task(rng, number, zone, since) for number in range(3)],
        "zone": zone.key, "since": wire(occurrences.start_of_day(zone, since)),
        "first": str(first), "last": str(first + timedelta(days=DAYS)),
    }


def main():
    first, last = map(int, sys.argv[1:])
    for number in range(first, last + 1):
        print(json.dumps(random_feed(random.Random(SEED + number))))


if __name__ == "__main__":
    main()

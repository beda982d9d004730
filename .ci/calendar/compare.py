#!/usr/bin/env python3
"""Compares the occurrences that programs compute from feeds with those of the service.

Usage: compare.py FOLDER PROGRAM… Each folder in FOLDER has the output `cases` of generate.py, the answers `feeds` of
the example `feeds`, and the answers of each program, in a file of its name.
"""

import json
import pathlib
import re
import sys
import zoneinfo
from datetime import datetime, timezone

import generate

# Events with compared occurrences, and those among them with occurrences before and after a clock change.
EVENTS = 10_000
EVENTS_OVER_CHANGES = 1_000


def read(folder, name):
    files = (part / name for part in sorted(pathlib.Path(folder).iterdir()))
    return [json.loads(line) for file in files for line in open(file)]


def offset(start, zone):
    at = datetime.fromisoformat(start)
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).astimezone(zone).utcoffset()


def measure(cases, feeds):
    """Returns how much there is to compare."""
    events, changes, zones = 0, 0, set()
    for case, feed in zip(cases, feeds):
        starts = {}
        for title, start, _ in feed["occurrences"]:
            starts.setdefault(title, []).append(start)
        for event in case["events"]:
            if event["title"] in starts:
                zone = zoneinfo.ZoneInfo(event["timeZone"])
                events += 1
                changes += len({offset(start, zone) for start in starts[event["title"]]}) > 1
                zones.add(zone.key)
    count = lambda text: sum(feed["ics"].count(text) for feed in feeds)
    return {
        "events": events, "of them over clock changes": changes, "zones": len(zones),
        "occurrences": sum(len(feed["occurrences"]) for feed in feeds), "components": count("BEGIN:VEVENT"),
        # A VTIMEZONE has rules too.
        "rules": count("\nRRULE:") - count("\nTZOFFSETTO:"),
        "changed": count("\nRECURRENCE-ID"), "excluded": count("\nEXDATE"),
    }


def hidden(case, feed):
    """Returns the occurrences that recurring-ical-events 3.8.2 leaves out, while the others agree with RFC 5545.

    It takes the time in UTC and the local time for the same. In Havana, a change of 20:30, which is 01:30 of the next
    day in UTC, hides the occurrence at 01:30. So does an exclusion.
    """
    times = lambda at, zone: {at.astimezone(it).replace(tzinfo=None) for it in (zone, timezone.utc)}
    keys = {}
    for component in feed["ics"].replace("\r\n ", "").split("BEGIN:VEVENT")[1:]:
        event = re.search(r"\nUID:e-([^.@]+)", component)
        for name, local in re.findall(r"\n(?:RECURRENCE-ID|EXDATE);TZID=([^:]+):(\w+)", component):
            at = datetime.fromisoformat(local).replace(tzinfo=zoneinfo.ZoneInfo(name))
            keys.setdefault(event[1], set()).add(at.astimezone(timezone.utc))
    found = []
    for event in case["events"]:
        zone, of_event = zoneinfo.ZoneInfo(event["timeZone"]), keys.get(event["id"], set())
        others = set().union(*(times(at, zone) for at in of_event))
        for row in feed["occurrences"] if of_event else []:
            at = datetime.fromisoformat(row[1])
            if row[0] == event["title"] and at not in of_event and times(at, zone) & others:
                found.append(row)
    return found


def main():
    folder, programs = sys.argv[1], sys.argv[2:]
    cases, feeds = read(folder, "cases"), read(folder, "feeds")
    is_whole = [feed["leftOut"] == 0 for feed in feeds]
    assert sum(is_whole) > 0.97 * len(feeds), "too many feeds left something out"
    whole = lambda rows: [row for row, keep in zip(rows, is_whole, strict=True) if keep]
    cases, feeds = whole(cases), whole(feeds)
    tally = measure(cases, feeds)
    print(f"{len(feeds)} feeds: {tally}")
    # A comparison of little would prove little.
    assert tally["events"] >= EVENTS and tally["of them over clock changes"] >= EVENTS_OVER_CHANGES, "too few events"
    assert tally["zones"] == len(generate.occurrences.ZONES), "too few zones"
    assert tally["rules"] > 3 * len(feeds) and tally["changed"] > len(feeds), "too few rules"
    failed = False
    for name in programs:
        differences = []
        for number, (case, feed, found) in enumerate(zip(cases, feeds, whole(read(folder, name)))):
            if isinstance(found, dict):
                differences.append((number, found["error"], ""))
                continue
            ignored = hidden(case, feed) if name == "recurring-ical-events" else []
            wanted, found = ([row for row in rows if row not in ignored] for rows in (feed["occurrences"], found))
            if found != wanted:
                missing = [row for row in wanted if row not in found]
                # Those that are there twice are unexpected too.
                unexpected = [row for row in found if row not in wanted or found.count(row) > 1]
                differences.append((number, missing[:3], unexpected[:3]))
        print(f"{name}: {len(differences)} feeds differ")
        for number, missing, unexpected in differences[:8]:
            print(f"  feed {number}: missing {missing}, unexpected {unexpected}")
        failed |= bool(differences)
    return failed


if __name__ == "__main__":
    sys.exit(main())

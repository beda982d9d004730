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

    It looks for the local time of an occurrence also among the changed and excluded ones in UTC. In Havana, a change of
    20:30, which is 01:30 of the next day in UTC, hides the occurrence at 01:30.
    """
    stamp = lambda at, zone: at.astimezone(zone).strftime("%Y%m%dT%H%M%S")
    in_utc = set()
    for name, local in re.findall(r"\n(?:RECURRENCE-ID|EXDATE);TZID=([^:]+):(\w+)", feed["ics"].replace("\r\n ", "")):
        at = datetime.fromisoformat(local).replace(tzinfo=zoneinfo.ZoneInfo(name))
        in_utc.add((name, stamp(at, timezone.utc)))
    zones = {event["title"]: event["timeZone"] for event in case["events"] if not event["allDay"]}
    timed = [row for row in feed["occurrences"] if row[0] in zones]
    local = lambda title, start: (zones[title], stamp(datetime.fromisoformat(start), zoneinfo.ZoneInfo(zones[title])))
    return [row for row in timed if local(*row[:2]) in in_utc]


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
